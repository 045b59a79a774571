import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { afterEach, beforeEach, expect, test } from "vitest";

const GATE = fileURLToPath(new URL("../../.ci/run", import.meta.url));

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "codehands-gate-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs the gate over an `npx` of ours that knows what each step says and how it exits. */
async function gate(steps: Record<string, { says?: string; exit?: number }>) {
  const cases = Object.entries(steps).map(
    ([name, { says = "", exit = 0 }]) => `${name}) printf '%s\\n' '${says}'; exit ${exit};;`,
  );
  const asked = join(folder, "asked");
  await writeFile(
    join(folder, "npx"),
    `#!/bin/sh\necho "$*" >>'${asked}'\ncase "$3" in\n${cases.join("\n")}\n*) exit 0;;\nesac\n`,
  );
  await chmod(join(folder, "npx"), 0o755);
  const run = await execa(GATE, { reject: false, env: { PATH: `${folder}:${process.env.PATH}` } });
  return {
    last: run.stdout.trimEnd().split("\n").at(-1),
    failures: run.stdout.split("\n==> test:long\n")[1]?.match(/^failed: .*$/gm) ?? [],
    exitCode: run.exitCode,
    asked: (await readFile(asked, "utf8")).trimEnd().split("\n"),
  };
}

test("the gate runs every step and adds up what their tests said", async () => {
  const result = await gate({
    test: { says: "12 passed, 0 failed, 1 skipped" },
    "test:long": { says: "more\n30 passed, 0 failed, 0 skipped" },
  });
  expect(result).toEqual({
    failures: [],
    last: "42 passed, 0 failed",
    exitCode: 0,
    asked: ["-y pnpm@10 test", "-y pnpm@10 lint", "-y pnpm@10 typecheck", "-y pnpm@10 test:long"],
  });
});

test("a failed test fails the gate, and the other steps still run", async () => {
  const result = await gate({
    test: { says: "failed: a.test.ts > b: no\n11 passed, 1 failed, 0 skipped", exit: 1 },
    "test:long": { says: "5 passed, 0 failed, 0 skipped" },
  });
  expect(result).toMatchObject({
    failures: ["failed: a.test.ts > b: no"],
    last: "16 passed, 1 failed",
    exitCode: 1,
  });
  expect(result.asked).toHaveLength(4);
});

test("a step that breaks without a count is never 0 failed", async () => {
  expect(await gate({ lint: { exit: 1 } })).toMatchObject({
    failures: ["failed: lint (exit 1)"],
    last: "0 passed, 1 failed",
    exitCode: 1,
  });
  expect(await gate({ test: { says: "3 passed, 0 failed, 0 skipped", exit: 1 } })).toMatchObject({
    last: "3 passed, 1 failed",
    exitCode: 1,
  });
});
