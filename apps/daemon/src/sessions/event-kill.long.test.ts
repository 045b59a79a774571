import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openDatabase } from "../database/open-database.ts";
import { inTransaction } from "../database/transaction.ts";
import { putRun } from "../runs/run-rows.ts";
import { makeStore } from "./session-store.test-kit.ts";

const CHILD = fileURLToPath(new URL("./endless-events.test-kit.ts", import.meta.url));
const ROUNDS = 20;

/** Runs the endless taker until it has said so many numbers, kills it, and returns the last whole number it said. */
async function killAfter(words: string[], numbers: number): Promise<number> {
  const child = spawn(process.execPath, ["--conditions=source", "--import", "tsx", CHILD, ...words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => {
    said += chunk.toString();
    if (said.split("\n").length > numbers) child.kill("SIGKILL");
  });
  const [, signal] = (await once(child, "close")) as [number | null, string | null];
  expect(signal).toBe("SIGKILL");
  return Number(said.split("\n").at(-2));
}

test("F01: killed again and again, no event that was told as stored is lost, none is doubled, and the offset is theirs", async () => {
  const s = makeStore();
  const id = s.add();
  const none = { model: null, prompt: null, pid: null, pgid: null, startTicks: null, bootId: null, exitCode: null };
  inTransaction(s.store, (tx) =>
    putRun(tx, {
      ...none,
      id: "run",
      sessionId: id,
      ordinal: 1,
      phase: "single",
      kind: "start",
      state: "live",
      byteOffset: 0,
      errOffset: 0,
      signal: null,
      costUsd: null,
      startedAt: "2026-01-01T00:00:00.000Z",
      endedAt: null,
    }),
  );
  for (let round = 0; round < ROUNDS; round += 1) {
    const told = await killAfter([s.dir, id, "run"], 1 + ((round * 7) % 40));
    const store = openDatabase(join(s.dir, "state.db"));
    const rows = store.prepare("select seq, payload from events order by seq").all() as {
      seq: number;
      payload: string;
    }[];
    expect(rows.map((row) => row.seq)).toEqual(rows.map((_, index) => index + 1));
    expect(rows.length).toBeGreaterThanOrEqual(told);
    // Whole lines only, in order, each with all of its events.
    const lines = rows.map((row) => (JSON.parse(row.payload) as { line: number }).line);
    const last = lines.at(-1) ?? 0;
    const whole = Array.from({ length: last }, (_, index) => index + 1);
    expect(lines).toEqual(whole.flatMap((line) => Array.from({ length: (line % 3) + 1 }, () => line)));
    expect(store.prepare("select byte_offset from runs").pluck().get()).toBe(last * 100);
    store.close();
  }
  s.close();
});
