import { describe, expect, test } from "vitest";
import { checkEnvironment, checkHabit, checkLengths, checkNames, checkReadmes, checkTop } from "./check-files.ts";
import { readTree, topLevel } from "./source-tree.ts";

const tree = readTree();
const file = (path: string, text = "") => ({ path, text });
const long = (count: number) => "x\n".repeat(count);

describe("files", () => {
  test("none is longer than 300 lines", () => {
    expect(checkLengths(tree)).toEqual([]);
  });
  test("of a hundred, 95 have at most 220 lines", () => {
    expect(checkHabit(tree)).toEqual([]);
  });
  test("all are named in kebab-case and say what happens in them", () => {
    expect(checkNames(tree)).toEqual([]);
  });
  test("the top level holds what it always holds", () => {
    expect(checkTop(topLevel())).toEqual([]);
  });
  test("the environment is read in a config.ts only", () => {
    expect(checkEnvironment(tree)).toEqual([]);
  });
  test("each package has a README of at most 60 lines", () => {
    expect(checkReadmes(tree)).toEqual([]);
  });
});

describe("planted violations are found", () => {
  test("lengths", () => {
    expect(checkLengths([file("packages/api/src/a.ts", long(301))])).toHaveLength(1);
    expect(checkLengths([file("test/flows/a.test.ts", long(301))])).toHaveLength(1);
    expect(checkLengths([file("packages/api/src/a.ts", long(300)), file("test/fixtures/a.ts", long(900))])).toEqual([]);
  });

  test("long files as a habit", () => {
    const house = (short: number, longer: number) => [
      ...Array.from({ length: short }, (_, n) => file(`packages/api/src/a-${n}.ts`, long(220))),
      ...Array.from({ length: longer }, (_, n) => file(`packages/api/src/b-${n}.ts`, long(221))),
    ];
    expect(checkHabit(house(94, 6))).toHaveLength(1);
    expect(checkHabit(house(95, 5))).toEqual([]);
  });

  test.each([
    "packages/api/src/utils.ts",
    "packages/api/src/git-utils.ts",
    "packages/api/src/session-manager.ts",
    "packages/api/src/core/a.ts",
    "packages/api/src/common/a.ts",
    "packages/api/src/helpers.test.ts",
    "packages/api/src/ApiError.ts",
    "packages/api/src/api_error.ts",
    "packages/api/src/Schemas/a.ts",
    "infra/scripts/withBuild.mjs",
    "packages/api/Notes.md",
  ])("the name %s", (path) => {
    expect(checkNames([file(path)])).toHaveLength(1);
  });

  test("and what is allowed is not", () => {
    const names = [
      "README.md",
      "packages/runner/SPEC.md",
      "packages/api/src/api-error.ts",
      "packages/api/src/base-commit.ts",
      "packages/api/src/a.long.test.ts",
      "packages/api/src/a.test-kit.ts",
      "infra/tsconfig/base.json",
      "test/fixtures/Utils.java",
      "apps/daemon/migrations/meta/_journal.json",
      ".oxlintrc.json",
      "infra/decisions/0001-monorepo-with-floors.md",
    ];
    expect(checkNames(names.map((name) => file(name)))).toEqual([]);
  });

  test("the top level", () => {
    expect(checkTop(["apps", "src", "docs", ".ci", ".gitignore", "tsconfig.json"])).toEqual([
      "src does not belong at the top level",
      "docs does not belong at the top level",
      "tsconfig.json does not belong at the top level",
    ]);
  });

  test.each([
    "const home = process.env.HOME;",
    'const home = process["env"].HOME;',
    "const { env } = process;",
    "const { pid, env: all } = process;",
    'import { argv, env } from "node:process";',
  ])("the environment: %s", (text) => {
    expect(checkEnvironment([file("apps/cli/src/a.ts", text)])).toHaveLength(1);
    expect(checkEnvironment([file("apps/cli/src/config.ts", text)])).toEqual([]);
    expect(checkEnvironment([file("apps/cli/src/a.test.ts", text)])).toEqual([]);
    expect(checkEnvironment([file("apps/cli/src/my-config.ts", text)])).toHaveLength(1);
  });

  test("readmes", () => {
    const manifest = file("packages/api/package.json", "{}");
    expect(checkReadmes([manifest])).toHaveLength(1);
    expect(checkReadmes([manifest, file("packages/api/README.md", long(61))])).toHaveLength(1);
    expect(checkReadmes([manifest, file("packages/api/README.md", long(60))])).toEqual([]);
  });
});
