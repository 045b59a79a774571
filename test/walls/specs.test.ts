import { describe, expect, test } from "vitest";
import { checkSpec } from "./check-specs.ts";
import { readTree } from "./source-tree.ts";

const tree = readTree();
// A contract of tests is run by the tests of all who keep it.
const tests = tree.filter(({ path }) => /(\.test|-contract\.test-kit)\.ts$/.test(path)).map(({ text }) => text);

describe("specs", () => {
  test.each(["packages/runner/SPEC.md", "packages/sync/SPEC.md", "packages/vault/SPEC.md", "apps/daemon/SPEC.md"])(
    "%s: every rule names a test that exists",
    (path) => {
      const spec = tree.find((file) => file.path === path);
      expect(checkSpec(spec?.text ?? "", tests)).toEqual([]);
    },
  );
});

describe("planted violations are found", () => {
  const row = (id: string, proof: string) => `| ${id} | A rule. | ${proof} |\n`;

  test("a proof that no test bears, an id twice, a rule without a proof, a page without rules", () => {
    const text = row("G1", "`one holds`") + row("G1", "`two does not`") + row("G2", "see above");
    expect(checkSpec(text, ['test("one holds it", …)'])).toEqual([
      "G1 stands there twice",
      "G2 names no test",
      'G1: no test is called "two does not"',
    ]);
    expect(checkSpec("words only", [])).toEqual(["there is no rule in it"]);
  });

  test("a title with an apostrophe is found in each of its spellings", () => {
    expect(checkSpec(row("G1", "`the agent's name`"), ['test("the agent\'s name")'])).toEqual([]);
    expect(checkSpec(row("G1", "`the agent's name`"), ["test('the agent\\'s name')"])).toEqual([]);
  });
});
