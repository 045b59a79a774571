import { writeSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { openDatabase } from "../database/open-database.ts";
import { makeUuidV7 } from "../database/uuid-v7.ts";
import { createEventInbox } from "./event-inbox.ts";
import { createSessionBus } from "./session-bus.ts";
import { lastSeqOf } from "./session-rows.ts";

// Takes events of one session without end: lines of one to three events, each line worth 100 bytes. Says each stored
// number on stdout. `<dir> <session> <run>`
const [dir = "", sessionId = "", runId = ""] = process.argv.slice(2);
const store = openDatabase(join(dir, "state.db"));
const bus = createSessionBus(() => {});
bus.subscribe(sessionId, () => writeSync(1, `${lastSeqOf(store, sessionId)}\n`));
const at = "2026-01-01T00:00:00.000Z";
const inbox = createEventInbox({
  store,
  bus,
  clock: () => at,
  newId: makeUuidV7(),
  deviceId: "device",
  warn: ({ error }) => {
    throw error;
  },
});
inbox.begin(sessionId);
const stored = store.prepare("select byte_offset from runs where id = ?").pluck().get(runId) as number;
let seq = lastSeqOf(store, sessionId) ?? 0;
for (let line = stored / 100 + 1; ; line += 1) {
  for (let n = 0; n <= line % 3; n += 1) {
    seq += 1;
    const type = seq === 1 ? "task.started" : "message";
    inbox.take({ sessionId, seq, type, at, payload: { line, text: "x".repeat(seq % 500) } });
  }
  inbox.position({ sessionId, runId, byteOffset: line * 100 });
  await inbox.room(sessionId);
  await nextTurn();
}
