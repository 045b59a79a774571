import { describe, expect, test } from "vitest";
import { checkBarrels, checkImports, checkTestImports } from "./check-imports.ts";
import { checkFloors, checkManifests, checkStrangers } from "./check-manifests.ts";
import { ROOMS } from "./rooms.ts";
import { readTree, type SourceFile } from "./source-tree.ts";

const tree = readTree();

describe("the house", () => {
  test("imports point down, through doors, and only to what a package names", () => {
    expect(checkImports(tree)).toEqual([]);
  });
  test("tests across packages come through the doors as well", () => {
    expect(checkTestImports(tree)).toEqual([]);
  });
  test("only doors hand on what others export", () => {
    expect(checkBarrels(tree)).toEqual([]);
  });
  test("each package.json agrees with the house and with its code", () => {
    expect(checkManifests(tree)).toEqual([]);
    expect(checkStrangers(tree)).toEqual([]);
  });
  test("the table of rooms points down itself", () => {
    expect(checkFloors(ROOMS)).toEqual([]);
  });
});

const json = (path: string, value: object): SourceFile => ({ path, text: JSON.stringify(value) });
const door = { ".": { source: "./src/index.ts" } };
const house = [
  json("package.json", { name: "root", devDependencies: { vitest: "4.1.12" } }),
  json("packages/contracts/package.json", { name: "@codehands/contracts", exports: door }),
  json("packages/api/package.json", {
    name: "@codehands/api",
    dependencies: { "@codehands/contracts": "workspace:*", zod: "4.6.7" },
    devDependencies: { "fast-check": "4.11.0" },
    exports: { ...door, "./local": { source: "./src/local.ts" } },
  }),
  json("packages/runner/package.json", { name: "@codehands/runner", exports: door }),
  json("apps/daemon/package.json", { name: "@codehands/daemon", exports: { ".": { source: "./src/main.ts" } } }),
  json("apps/cli/package.json", { name: "codehands", dependencies: { "@codehands/api": "workspace:*" } }),
];
const planted = (path: string, text: string) => [...house, { path, text }];

describe("planted violations are found", () => {
  test.each([
    ["packages/api/src/a.ts", 'import { x } from "@codehands/runner";', "may import contracts"],
    ["packages/api/src/a.ts", 'import type { x } from "@codehands/runner";', "may import contracts"],
    ["packages/api/src/a.ts", 'import {\n  x,\n  y,\n} from "@codehands/runner";', "may import contracts"],
    ["packages/api/src/a.ts", 'const x = await import("@codehands/runner");', "may import contracts"],
    ["packages/contracts/src/a.ts", 'import "@codehands/api";', "may import nothing"],
    ["apps/cli/src/a.ts", 'import { start } from "@codehands/daemon";', "may import api"],
    ["apps/daemon/src/a.ts", 'import { x } from "codehands";', "may import api, runner"],
    ["apps/cli/src/a.ts", 'import { x } from "@codehands/api/local";', "not for cli"],
    ["apps/cli/src/a.ts", 'import { x } from "@codehands/api/src/ports.ts";', "past the doors of api"],
    ["packages/api/src/a.ts", 'import { x } from "../../contracts/src/session.ts";', "leaves its package"],
    ["packages/api/src/a.ts", 'import { x } from "../../../test/kit/git.ts";', "leaves its package"],
    ["packages/api/src/a.test.ts", 'import { x } from "../../../test/walls/rooms.ts";', "leaves its package"],
    ["packages/api/src/a.ts", 'import { x } from "@codehands/api";', "its own package"],
    ["packages/api/examples/a.mjs", 'import { x } from "@codehands/api/src/local.ts";', "past the doors of api"],
    ["packages/api/src/a.ts", 'import { x } from "./index.ts";', "door for others"],
    ["packages/api/src/a.ts", 'import { x } from "./ports";', "without its file ending"],
    ["packages/api/src/a.ts", 'import { x } from "lodash";', "does not depend on"],
    ["packages/api/src/a.ts", 'import { readFileSync } from "fs";', "does not depend on"],
    ["packages/api/src/a.ts", 'const fs = require("fs");', "does not depend on"],
    ["packages/api/src/a.ts", 'import * as fc from "fast-check";', "does not depend on"],
    ["packages/api/src/a.ts", 'import { test } from "vitest";', "does not depend on"],
    ["apps/daemon/src/a.ts", 'import { x } from "@codehands/handover";', "which is not there"],
  ])("%s: %s", (path, text, says) => {
    expect(checkImports(planted(path, text))).toEqual([expect.stringContaining(says)]);
    expect(checkImports(planted(path, text))[0]).toContain(`${path}:1 `);
  });

  test.each([
    ["packages/api/src/a.ts", 'import { x } from "@codehands/contracts";\nimport * as z from "zod";'],
    ["packages/api/src/a.ts", 'import { join } from "node:path";\nimport { x } from "./ports.ts";'],
    ["packages/api/src/a.test.ts", 'import { test } from "vitest";\nimport * as fc from "fast-check";'],
    ["packages/api/src/a.test.ts", 'import { x } from "./index.ts";'],
    ["packages/api/examples/a.mjs", 'import { x } from "@codehands/api/local";'],
    ["packages/api/src/a.test.ts", 'import { x } from "../../../test/kit/git.ts";'],
    ["packages/api/src/a.test.ts", "run('node', `require(\"fs\").readFileSync(0)`);"],
    ["apps/cli/src/a.test-kit.ts", 'import { createLocalRouter } from "@codehands/api/local";'],
    ["packages/api/build.config.ts", 'import * as fc from "fast-check";'],
    ["apps/cli/src/a.ts", 'const main = import.meta.resolve("@codehands/daemon");'],
    ["packages/api/src/fixtures/a.ts", 'import "lodash";'],
  ])("and what is allowed is not: %s: %s", (path, text) => {
    expect(checkImports(planted(path, text))).toEqual([]);
  });

  test("barrels", () => {
    const text = 'export * from "./ports.ts";';
    expect(checkBarrels(planted("packages/api/src/a.ts", text))).toHaveLength(1);
    expect(checkBarrels(planted("packages/api/src/a.ts", 'export { type X } from "./ports.ts";'))).toHaveLength(1);
    expect(checkBarrels(planted("packages/api/src/schemas/index.ts", ""))).toHaveLength(1);
    expect(checkBarrels(planted("packages/api/src/local.ts", text))).toEqual([]);
    expect(checkBarrels(planted("packages/api/src/index.ts", text))).toEqual([]);
  });

  test("tests that reach past a door", () => {
    const reach = (text: string) => checkTestImports(planted("test/flows/a.test.ts", text));
    expect(reach('import { x } from "../../packages/api/src/ports.ts";')).toHaveLength(1);
    expect(reach('import { x } from "@codehands/api/src/ports.ts";')).toHaveLength(1);
    expect(reach('import { x } from "@codehands/api/local";\nimport { y } from "./y.ts";')).toEqual([]);
  });

  test("a package.json that names too much, or another name", () => {
    const said = checkManifests([
      ...house.slice(0, 2),
      json("packages/vault/package.json", {
        name: "@codehands/safe",
        dependencies: { "@codehands/runner": "workspace:*", zod: "4.6.7" },
      }),
      { path: "packages/vault/src/a.ts", text: 'import { x } from "@codehands/runner";' },
    ]);
    expect(said).toEqual([
      expect.stringContaining("names itself @codehands/safe"),
      expect.stringContaining("depends on @codehands/runner: vault may import contracts"),
      expect.stringContaining("depends on zod, which no file"),
    ]);
  });

  test("a room on no floor, and a table that points up", () => {
    expect(checkStrangers([json("packages/extra/package.json", {})])).toHaveLength(1);
    const up = { ...ROOMS, contracts: { folder: "packages/contracts", floor: 0, may: ["api"] } } as const;
    expect(checkFloors(up)).toEqual(["contracts may import api, which is not below it"]);
  });
});
