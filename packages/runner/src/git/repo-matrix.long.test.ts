import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { approveWorkspace } from "./approve.ts";
import { diffWorkspace } from "./diff.ts";
import { type PrepareOptions, prepareWorkspace } from "./prepare-workspace.ts";
import { trashWorkspace } from "./reject.ts";
import { restoreWorkspace } from "./undo.ts";
import {
  FILES,
  git,
  listing,
  makeRepo,
  makeWorld,
  personFingerprint,
  type World,
  write,
} from "./workspace.test-kit.ts";

const AT = "2026-01-01T00:00:00Z";

interface Kind {
  /** Makes the repository and says where a start is asked for. */
  make: () => Promise<{ world: World; repoPath: string }>;
  check?: (worktree: string, world: World) => void;
  options?: Partial<PrepareOptions>;
}

async function plain(files = FILES): Promise<World> {
  return makeRepo(files);
}
const at = (world: World, repoPath = world.repo) => ({ world, repoPath });

const KINDS: Record<string, Kind> = {
  bare: {
    make: async () => {
      const world = await plain();
      git(world.root, "clone", "-q", "--bare", world.repo, "bare.git");
      return at(world, join(world.root, "bare.git"));
    },
  },
  detached: {
    make: async () => {
      const world = await plain();
      git(world.repo, "checkout", "-q", "--detach");
      return at(world);
    },
  },
  shallow: {
    make: async () => {
      const world = await plain();
      for (const n of ["2", "3"]) {
        write(world.repo, { "a.txt": `${n}\n` });
        git(world.repo, "commit", "-qam", n);
      }
      git(world.root, "clone", "-q", "--depth=1", `file://${world.repo}`, "shallow");
      return at(world, join(world.root, "shallow"));
    },
  },
  sha256: {
    make: async () => {
      const world = await makeWorld();
      git(world.root, "init", "-q", "--object-format=sha256", world.repo);
      write(world.repo, FILES);
      git(world.repo, "add", "-A");
      git(world.repo, "commit", "-qm", "first");
      return at(world);
    },
  },
  "a folder with spaces, unicode, a colon and a quote": {
    make: async () => {
      const world = await plain();
      const path = join(world.root, 'ünï co:de "q" \\b');
      git(world.root, "clone", "-q", world.repo, path);
      return at(world, path);
    },
  },
  "a subfolder": { make: async () => plain().then((world) => at(world, join(world.repo, "src"))) },
  "a linked worktree of the person": {
    make: async () => {
      const world = await plain();
      const linked = join(world.root, "linked");
      git(world.repo, "worktree", "add", "-q", "-b", "linked", linked);
      return at(world, linked);
    },
  },
  submodule: {
    make: async () => {
      const world = await plain();
      git(world.root, "clone", "-q", world.repo, "inner");
      git(
        world.repo,
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "add",
        "-q",
        join(world.root, "inner"),
        "lib/inner",
      );
      git(world.repo, "commit", "-qm", "submodule");
      return at(world);
    },
    check: (worktree) => expect(listing(join(worktree, "lib/inner"))).toEqual({}),
  },
  "sparse checkout": {
    make: async () => {
      const world = await plain();
      git(world.repo, "sparse-checkout", "set", "--cone", "other");
      return at(world);
    },
    check: (worktree) => expect(existsSync(join(worktree, "src"))).toBe(false),
  },
  "worktreeConfig, splitIndex, fsmonitor and untrackedCache": {
    make: async () => {
      const world = await plain();
      for (const [key, value] of [
        ["extensions.worktreeConfig", "true"],
        ["core.splitIndex", "true"],
        ["core.untrackedCache", "true"],
        ["core.fsmonitor", "/bin/false"],
      ] as const) {
        git(world.repo, "config", key, value);
      }
      return at(world);
    },
  },
  "git-lfs pointers without git-lfs": {
    make: async () => {
      const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"a".repeat(64)}\nsize 12345\n`;
      return at(
        await makeRepo({ ...FILES, ".gitattributes": "*.png filter=lfs diff=lfs merge=lfs -text\n", "p.png": pointer }),
      );
    },
    check: (worktree) => expect(readFileSync(join(worktree, "p.png"), "utf8")).toContain("git-lfs"),
  },
  "hooks that fail and a template for commits": {
    make: async () => {
      const world = await plain();
      mkdirSync(join(world.repo, ".git/hooks"), { recursive: true });
      writeFileSync(join(world.repo, ".git/hooks/post-checkout"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
      return at(world);
    },
  },
};

test.each(Object.keys(KINDS))(
  "F19 %s: start, diff, reject, undo and approve work, the person's checkout keeps every byte",
  async (name) => {
    const kind = KINDS[name];
    if (kind === undefined) throw new Error(name);
    const { world, repoPath } = await kind.make();
    const before = personFingerprint(world.repo);
    const prepared = await prepareWorkspace(world.options({ repoPath }));
    if (!prepared.ok) throw new Error(prepared.detail);
    const ws = prepared.workspace;
    kind.check?.(ws.worktree, world);
    expect((await diffWorkspace(ws)).files).toEqual([]);
    write(ws.worktree, { "a.txt": "x\n", "n/n.txt": "n\n" });
    const diff = await diffWorkspace(ws);
    expect(diff.files.map(({ path, status }) => `${status} ${path}`)).toEqual([
      existsSync(join(ws.worktree, "a.txt")) ? "M a.txt" : "",
      "A n/n.txt",
    ]);
    const options = { trashRoot: world.trashRoot };
    await trashWorkspace(ws, { ...options, keepBranch: false });
    await restoreWorkspace(ws, options);
    const landed = await approveWorkspace(ws, { message: "m", options: { treeId: diff.treeId }, at: AT });
    expect(git(ws.commonDir, "rev-parse", `${ws.branch}^{tree}`, `${ws.branch}^`).split("\n")).toEqual([
      diff.treeId,
      ws.baseCommit,
    ]);
    await trashWorkspace(ws, { ...options, keepBranch: true });
    expect(git(ws.commonDir, "rev-parse", ws.branch)).toBe(landed.commit);
    expect(personFingerprint(world.repo)).toEqual(before);
  },
);

test("F19 an unknown repository format is refused in plain words before anything is made", async () => {
  const world = await plain();
  git(world.repo, "config", "core.repositoryFormatVersion", "1");
  git(world.repo, "config", "extensions.refStorage", "reftable");
  const before = listing(world.repo);
  expect(await prepareWorkspace(world.options())).toMatchObject({ ok: false, reason: "unsupported_repo" });
  expect(listing(world.repo)).toEqual(before);
});

test("F19 a partial clone: what is missing is fetched, but not with a configuration that has changed since", async () => {
  const world = await plain();
  git(world.repo, "config", "uploadpack.allowFilter", "true");
  git(world.repo, "config", "uploadpack.allowAnySHA1InWant", "true");
  const clones = ["one", "two"].map((name) => {
    git(world.root, "clone", "-q", "--no-checkout", "--filter=blob:none", `file://${world.repo}`, name);
    return join(world.root, name);
  });
  const [one = "", two = ""] = clones;
  const first = await prepareWorkspace(world.options({ repoPath: one }));
  if (!first.ok) throw new Error(first.detail);
  expect(readFileSync(join(first.workspace.worktree, "a.txt"), "utf8")).toBe(FILES["a.txt"]);
  // A start that fetched nothing makes the second clone's configuration known.
  const empty = git(two, "commit-tree", git(two, "mktree", "--missing").split("\n")[0] ?? "", "-m", "empty");
  expect(await prepareWorkspace(world.options({ repoPath: two, base: empty }))).toMatchObject({ ok: true });
  git(two, "config", "core.sshCommand", "/tmp/evil");
  const refused = await prepareWorkspace(world.options({ repoPath: two }));
  expect(refused).toMatchObject({
    ok: false,
    reason: "unsupported_repo",
    detail: expect.stringContaining("has changed since"),
  });
});

test("F18 line endings: the diff has only the agent's lines and blobs are what the person's own git makes", async () => {
  for (const autocrlf of ["true", "input", "false"]) {
    const world = await makeRepo({ "lf.txt": "1\n2\n", ".gitattributes": "*.crlf eol=crlf\n", "x.crlf": "1\n2\n" });
    git(world.repo, "config", "core.autocrlf", autocrlf);
    const prepared = await prepareWorkspace(world.options());
    if (!prepared.ok) throw new Error(prepared.detail);
    const ws = prepared.workspace;
    const ending = autocrlf === "true" ? "\r\n" : "\n";
    expect(readFileSync(join(ws.worktree, "lf.txt"), "latin1")).toBe(`1${ending}2${ending}`);
    expect(readFileSync(join(ws.worktree, "x.crlf"), "latin1")).toBe("1\r\n2\r\n");
    expect((await diffWorkspace(ws)).files).toEqual([]);
    write(ws.worktree, {
      "lf.txt": `1${ending}2${ending}3${ending}`,
      "x.crlf": "1\r\n2\r\n3\r\n",
      "mixed.txt": "1\r\n2\n",
    });
    const diff = await diffWorkspace(ws);
    expect(diff.files.find(({ path }) => path === "lf.txt")).toMatchObject({ additions: 1, deletions: 0 });
    expect(diff.files.find(({ path }) => path === "x.crlf")).toMatchObject({ additions: 1, deletions: 0 });
    git(ws.worktree, "add", "-A");
    expect(git(ws.worktree, "write-tree")).toBe(diff.treeId);
  }
});

test("F17 names that differ in case alone are two files here", async () => {
  const world = await plain();
  const prepared = await prepareWorkspace(world.options());
  if (!prepared.ok) throw new Error(prepared.detail);
  write(prepared.workspace.worktree, { "A.txt": "big\n" });
  rmSync(join(prepared.workspace.worktree, "a.txt"));
  expect((await diffWorkspace(prepared.workspace)).files.map(({ status, path }) => `${status} ${path}`)).toEqual([
    "A A.txt",
    "D a.txt",
  ]);
});

test("a sparse checkout's absent files are no deletions, not even after the agent wrote and removed one", async () => {
  const world = await plain();
  git(world.repo, "sparse-checkout", "set", "--cone", "other");
  const prepared = await prepareWorkspace(world.options());
  if (!prepared.ok) throw new Error(prepared.detail);
  const ws = prepared.workspace;
  write(ws.worktree, { "src/b.ts": "rewritten\n" });
  expect((await diffWorkspace(ws)).files.map(({ status, path }) => `${status} ${path}`)).toEqual(["M src/b.ts"]);
  rmSync(join(ws.worktree, "src"), { recursive: true });
  expect((await diffWorkspace(ws)).files).toEqual([]);
});
