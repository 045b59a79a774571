import { describe, expect, test } from "vitest";
import { checkLockfile, checkPins, checkWords } from "./check-words.ts";
import { readTree } from "./source-tree.ts";

const tree = readTree();
const file = (path: string, text: string) => ({ path, text });
/** Planted words are put together here, or this file would hold them. */
const word = (...parts: string[]) => parts.join("");

describe("words", () => {
  test("the repository names no machine, no registry, and silences nothing", () => {
    expect(checkWords(tree)).toEqual([]);
  });
  test("every version is one version", () => {
    expect(checkPins(tree)).toEqual([]);
  });
  test("the lockfile names no place", () => {
    expect(checkLockfile(tree)).toEqual([]);
  });
});

describe("planted violations are found", () => {
  test.each([
    ["README.md", word("see /ho", "me/ann/code for it")],
    ["packages/api/src/a.ts", word('const at = "/ro', 'ot/.codehands";')],
    ["packages/api/src/a.ts", word("// like /Us", "ers/Ann/code")],
    ["infra/scripts/a.mjs", word("cd /wo", "rk/main")],
    [".npmrc", word("registry=https://regis", "try.npmjs.org/")],
    ["pnpm-lock.yaml", word("tarball: http://verda", "ccio:4873/zod.tgz")],
    ["test/flows/a.test.ts", word("test.on", 'ly("a", () => {})')],
    ["packages/api/src/a.test.ts", word("describe.sk", 'ip("a", () => {})')],
    ["packages/api/src/a.test.ts", word("test.concurrent.to", 'do("a")')],
    ["packages/api/src/a.test.ts", word("  it.ea", "ch.sk", "ip([1])")],
    ["packages/api/src/a.test.ts", word("const maybe = test.sk", "ip;")],
    ["packages/api/src/a.test.ts", word("x", 'it("a", () => {})')],
    ["packages/api/src/a.ts", word("// @ts-", "ignore")],
    ["packages/api/src/a.test.ts", word("// @ts-", "expect-error it is wrong")],
    ["packages/api/src/a.ts", word("const a = b as a", "ny;")],
    ["packages/api/src/a.ts", word("function f(a: a", "ny) {}")],
    ["packages/api/src/a.ts", word("// oxlint-", "disable-next-line")],
    ["packages/api/src/a.ts", word("// oxlint-", "disable-next-line no-eval")],
    ["packages/api/src/a.ts", word("/* oxlint-", "disable no-eval -- the whole file */")],
    ["packages/api/src/a.ts", word("// biome-", "ignore lint/a: why")],
    ["packages/api/src/a.ts", word("// TO", "DO later")],
  ])("%s: %s", (path, text) => {
    expect(checkWords([file(path, `first line\n${text}`)])[0]).toContain(`${path}:2 `);
  });

  test.each([
    ["README.md", "the page at /workspace/home and ~/.codehands/worktrees, below <home>/root/x"],
    ["README.md", "for instance /home/you/code"],
    ["packages/api/src/a.ts", "const at = `${base}/root/x`; // any other way, as anybody would"],
    ["packages/api/src/a.ts", "items.skip(2); query.only(); const company: anything = 1;"],
    ["test/fixtures/recordings/a.jsonl", word('{"cwd":"/ho', 'me/user/repo"}')],
    ["packages/api/src/a.ts", word("// oxlint-", "disable-next-line no-eval -- the agent's own words")],
    ["packages/api/src/a.test.ts", word("const sample = 'test(1); test.sk", "ip(2);';")],
    ["packages/api/src/a.test.ts", 'test("a model registry. Only that", () => {})'],
  ])("and what is allowed is not: %s: %s", (path, text) => {
    expect(checkWords([file(path, text)])).toEqual([]);
  });

  test.each(["^1.0.0", "~1.0.0", "1.x", "latest", ">=1.0.0", "workspace:^", "1.0", "npm:other@1.0.0"])(
    "the version %s",
    (version) => {
      for (const kind of ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"])
        expect(checkPins([file("packages/a/package.json", JSON.stringify({ [kind]: { zod: version } }))])).toEqual([
          `packages/a/package.json takes zod ${version}: name one version`,
        ]);
    },
  );

  test("one version is one version", () => {
    const dependencies = { a: "1.2.3", b: "18.4.0-beta.17", c: "workspace:*" };
    expect(checkPins([file("package.json", JSON.stringify({ dependencies }))])).toEqual([]);
  });

  test("a lockfile that names a place", () => {
    const lock = (text: string) => checkLockfile([file("pnpm-lock.yaml", text)]);
    expect(lock("resolution: {integrity: sha512-x, tarball: zod-4.tgz}")).toHaveLength(1);
    expect(lock("resolution: {directory: x}\n  zod: https://codeload.github.com/x")).toHaveLength(1);
    expect(lock("resolution: {integrity: sha512-x}\nversion: link:../contracts")).toEqual([]);
  });
});
