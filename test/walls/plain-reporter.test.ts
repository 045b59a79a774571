import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { afterEach, describe, expect, test } from "vitest";

const VITEST = fileURLToPath(new URL("../../node_modules/vitest/vitest.mjs", import.meta.url));
const REPORTER = fileURLToPath(new URL("../plain-reporter.ts", import.meta.url));
/** Put together here, or this file would leave tests out itself. */
const SKIPPED = ["test.sk", 'ip("c", () => {});'].join("");

let folder = "";
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs vitest over files of this text and gives the last lines it said. */
async function lastLines(count: number, ...texts: string[]): Promise<string[]> {
  folder = await mkdtemp(join(tmpdir(), "codehands-reporter-"));
  await Promise.all(texts.map((text, n) => writeFile(join(folder, `file-${n}.test.js`), text)));
  const run = await execa(process.execPath, [VITEST, "run", "--globals", "--root", folder, `--reporter=${REPORTER}`], {
    cwd: folder,
    reject: false,
  });
  return run.stdout.trimEnd().split("\n").slice(-count);
}
const lastLine = async (...texts: string[]) => (await lastLines(1, ...texts))[0];

describe("the last line of a test run", () => {
  test("counts what passed, failed and was left out, over all files", async () => {
    const first = `test("a", () => {}); test("b", () => { throw new Error("no"); }); ${SKIPPED}`;
    expect(await lastLine(first, 'test("d", () => {});')).toBe("2 passed, 1 failed, 1 skipped");
  });

  test("a file that cannot be read is a failure", async () => {
    expect(await lastLine('test("a", () => {});', "this is no program")).toBe("1 passed, 1 failed, 0 skipped");
  });

  test("an error that no test caught is a failure", async () => {
    const late = 'test("a", async () => { Promise.reject(new Error("late")); await new Promise(setImmediate); });';
    expect(await lastLine(late)).toBe("1 passed, 1 failed, 0 skipped");
  });

  test("what failed is named before it: the file, the test and what it said", async () => {
    const failing = 'test("c", () => { throw new Error("not\\n  this"); });';
    expect(await lastLines(3, failing, "this is no program")).toEqual([
      "failed: file-0.test.js > c: not this",
      expect.stringMatching(/^failed: file-1\.test\.js: Parse failure: .* this is no program/),
      "0 passed, 2 failed, 0 skipped",
    ]);
  });
});
