import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { seeded } from "../redact/seeded-secrets.test-kit.ts";
import { faultsOf, runWithKills } from "./crash-proof.test-kit.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "codehands-crash-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("C071: five kills -9 of whoever reads a run lose no line, double none, and the exit code is read by a later one", async () => {
  const run = await runWithKills({ folder, runId: "quick", kills: 5, next: seeded(5) });
  expect(run.kills).toBe(5);
  expect(run.neverStarted).toBe(false);
  expect(faultsOf(run)).toEqual([]);
});
