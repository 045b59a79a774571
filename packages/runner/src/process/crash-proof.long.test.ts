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

test("C071, C093: after at least 100 kills -9 of the reader, around the spawn and while lines come, 0 lines are lost, doubled or out of order, and every exit code is right", async () => {
  const next = seeded(20_261_130);
  const totals = { kills: 0, adoptions: 0, runs: 0, lines: 0, neverStarted: 0 };
  while (totals.kills < 100) {
    const run = await runWithKills({ folder, runId: `run-${totals.runs}`, kills: 5, next });
    totals.runs += 1;
    totals.kills += run.kills;
    totals.adoptions += run.adoptions;
    totals.neverStarted += run.neverStarted ? 1 : 0;
    totals.lines += run.indexes.length;
    expect(faultsOf(run)).toEqual([]);
  }
  console.info("crash proof", JSON.stringify(totals));
  expect(totals.adoptions).toBeGreaterThan(30);
});
