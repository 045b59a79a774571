import { createHash } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "vitest";
import { git, makeRepo } from "./git/workspace.test-kit.ts";
import { repoKey } from "./repo-key.ts";

const sha = (text: string) => createHash("sha1").update(text).digest("hex").slice(0, 12);

test("without an origin the key is the path's, from a subfolder too; with one both clones share it", async () => {
  const { root, repo } = await makeRepo();
  expect(await repoKey(repo)).toBe(sha(repo));
  expect(await repoKey(join(repo, "src"))).toBe(sha(repo));
  const url = "https://example.com/pat/thing.git";
  const clone = join(root, "clone");
  git(root, "clone", "-q", repo, clone);
  git(clone, "remote", "set-url", "origin", url);
  git(repo, "remote", "add", "origin", url);
  expect(await repoKey(repo)).toBe(sha(url));
  expect(await repoKey(clone)).toBe(await repoKey(repo));
});

test("a folder that is no repository has a key as well", async () => {
  const { root } = await makeRepo();
  expect(await repoKey(root)).toBe(sha(root));
});
