import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "codehands-large-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Seen {
  lines: number;
  bytes: number;
  oversize: number;
  worstTurnMs: number;
  last: string;
  maxRssMb: number;
}

async function readAll(script: string): Promise<Seen> {
  const program = join(import.meta.dirname, "large-output.test-kit.ts");
  const words = ["--import", import.meta.resolve("tsx"), program, folder, script];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  console.info("large output", stdout.trim());
  return JSON.parse(stdout) as Seen;
}

test("1 GB of output is read in less than 300 MB of memory, every line of it", async () => {
  const line = `{"text":"${"x".repeat(2_000)}"}`;
  const seen = await readAll(`yes '${line}' | head -n 500000; echo last`);
  expect(seen).toMatchObject({ lines: 500_001, bytes: 500_000 * (line.length + 1) + 5, oversize: 0, last: "last" });
  expect(seen.bytes).toBeGreaterThan(1_000_000_000);
  expect(seen.maxRssMb).toBeLessThan(300);
});

test("C015: lines of 100 MB are passed over in less than 300 MB of memory, and the line after them is read", async () => {
  const seen = await readAll(`for i in 1 2 3; do head -c 100000000 /dev/zero | tr '\\0' a; echo; done; echo last`);
  expect(seen).toMatchObject({ lines: 1, oversize: 300_000_000, last: "last" });
  expect(seen.maxRssMb).toBeLessThan(300);
});
