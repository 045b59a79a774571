import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { appendEvents } from "../sessions/event-log.ts";
import { makeStore } from "../sessions/session-store.test-kit.ts";
import { openDatabase } from "./open-database.ts";
import { inTransaction } from "./transaction.ts";
import { makeUuidV7 } from "./uuid-v7.ts";

const ROUNDS = 400;

/** Numbers that look random and are the same in every run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

test("F04: whatever a power cut leaves of the log's file, the database is whole and holds a prefix of the events", () => {
  const s = makeStore();
  const id = s.add();
  const context = { newId: makeUuidV7(), deviceId: "device" };
  s.store.sqlite.pragma("wal_autocheckpoint = 0");
  s.store.sqlite.pragma("wal_checkpoint(TRUNCATE)");
  for (let seq = 1; seq <= 200; seq += 1) {
    const type = seq === 1 ? "task.started" : "message";
    const event = { sessionId: id, seq, type, at: "T", payload: { text: "x".repeat((seq * 37) % 900) }, runId: null };
    inTransaction(s.store, (tx) => appendEvents(tx, [event], context));
  }
  const dir = mkdtempSync(join(tmpdir(), "codehands-torn-"));
  copyFileSync(join(s.dir, "state.db"), join(dir, "whole.db"));
  const wal = readFileSync(join(s.dir, "state.db-wal"));
  s.close();

  const random = seeded(20_260_101);
  const prefixes = new Set<number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const file = join(dir, "torn.db");
    copyFileSync(join(dir, "whole.db"), file);
    rmSync(`${file}-shm`, { force: true });
    const at = Math.floor(random() * wal.length);
    const torn = Buffer.from(wal);
    if (round % 3 === 1) torn.fill(0, at, at + 1 + Math.floor(random() * 8_192));
    if (round % 3 === 2)
      for (let n = 0; n < 64; n += 1) torn[Math.min(at + n, wal.length - 1)] = Math.floor(random() * 256);
    writeFileSync(`${file}-wal`, round % 3 === 0 ? torn.subarray(0, at) : torn);

    const store = openDatabase(file);
    expect(store.sqlite.pragma("integrity_check", { simple: true }), `round ${round}`).toBe("ok");
    const seqs = store.prepare("select seq from events order by seq").pluck().all() as number[];
    expect(seqs, `round ${round}`).toEqual(seqs.map((_, index) => index + 1));
    expect(store.prepare("select last_seq from sessions").pluck().get(), `round ${round}`).toBe(seqs.length);
    prefixes.add(seqs.length);
    store.close();
  }
  rmSync(dir, { recursive: true, force: true });
  expect(prefixes.size).toBeGreaterThan(50);
});
