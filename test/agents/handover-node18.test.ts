import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";

/** The oldest Node that the handover package promises to run under. */
const NODE_VERSION = "18.20.8";
const HANDOVER = fileURLToPath(new URL("../../packages/handover", import.meta.url));
const MAIN = join(HANDOVER, "dist/main.js");

let node: string;
beforeAll(() => {
  node = installNode();
});

/** That Node, installed from npm into a cache below node_modules when it is not there yet. */
function installNode(): string {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = fileURLToPath(new URL(`../../node_modules/.cache/agents/node-${NODE_VERSION}`, import.meta.url));
  const program = join(folder, "node_modules", name, "bin", "node");
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    const flags = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
    execFileSync("npm", ["install", "--prefix", folder, ...flags, `${name}@${NODE_VERSION}`], {
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
  return program;
}

/** What a check of the package says under that Node; throws when it fails. */
const run = (...words: string[]): string => execFileSync(node, words, { encoding: "utf8", cwd: HANDOVER });

test("HO-19 it is Node 18", () => {
  expect(run("--version").trim()).toBe(`v${NODE_VERSION}`);
});

test("HO-19 under Node 18: the vectors, deep values, every adapter in both forms", () => {
  expect(run("test/check-package.mjs", "dist/index.js")).toMatch(
    new RegExp(`checks passed under Node ${NODE_VERSION}\\n$`),
  );
});

test("HO-19 under Node 18: the conformance suite", () => {
  expect(run("conformance/check.mjs", "--strict", node, MAIN)).toMatch(/^\d+ passed, 0 failed\n$/);
});

test("HO-19 under Node 18: the table of the command", () => {
  expect(run("test/cli-table.mjs", node, MAIN)).toMatch(/^\d+ passed, 0 failed\n$/);
});

test("HO-19 the package depends on nothing", () => {
  const listed = JSON.parse(
    execFileSync("npm", ["ls", "--omit=dev", "--json", "--prefix", HANDOVER], { encoding: "utf8" }),
  );
  expect(listed).not.toHaveProperty("dependencies");
});
