import { describe, expect, test } from "vitest";
import { checkContracts } from "./check-contracts.ts";
import { readTree } from "./source-tree.ts";

const tree = readTree();
const check = (text: string, path = "src/a.ts") => checkContracts([{ path: `packages/contracts/${path}`, text }]);

test("contracts depend on nothing, run nowhere in particular, and hold no class", () => {
  expect(checkContracts(tree)).toEqual([]);
  expect(tree.filter((file) => file.path.startsWith("packages/contracts/src/")).length).toBeGreaterThan(5);
});

describe("planted violations are found", () => {
  test.each([
    'import * as z from "zod";',
    'import { createHash } from "node:crypto";',
    'import type { x } from "@codehands/api";',
    'export * from "../../api/src/ports.ts";',
    "export class Session {}",
    "abstract class Row {}",
    "const home = process.env.HOME;",
    "const bytes = Buffer.from([1]);",
  ])("%s", (text) => {
    expect(check(text)).toHaveLength(1);
  });

  test("a dependency, of whichever kind", () => {
    for (const kind of ["dependencies", "peerDependencies", "optionalDependencies"])
      expect(check(JSON.stringify({ [kind]: { zod: "4.6.7" } }), "package.json")).toHaveLength(1);
  });

  test("and what is allowed is not", () => {
    expect(check('import type { x } from "./session.ts";\n/** The process and its class of service. */')).toEqual([]);
    expect(check('import { test } from "vitest";', "src/a.test.ts")).toEqual([]);
  });
});
