import type { OpenDatabase } from "../database/open-database.ts";
import { isRecord, readJson } from "../database/read-json.ts";
import type { Tx } from "../database/transaction.ts";
import { cellsOf } from "./event-line.ts";
import { foldEvent } from "./fold-event.ts";
import { readUsage } from "./read-usage.ts";
import { changeSession, moveSession, readSession } from "./session-rows.ts";

/**
 * Brings a session's row up to events that came back from the cloud: this database was put back to an older state. An
 * event that does not fit the row any more changes nothing but the log.
 */
export function foldAdopted(
  tx: Tx,
  sessionId: string,
  events: readonly { seq: number; id: string; line: string }[],
): void {
  for (const event of events) {
    const session = readFoldable(tx.store, sessionId);
    if (session === null) return;
    const { type, at, payload } = cellsOf(event, event.seq);
    const json = readJson(payload);
    const fold = foldEvent(session, {
      seq: event.seq,
      type,
      at,
      payload: json.ok && isRecord(json.value) ? json.value : {},
    });
    if (!fold.ok) continue;
    if (fold.to !== null) moveSession(tx, sessionId, { to: fold.to, change: fold.change });
    else if (Object.keys(fold.change).length > 0) changeSession(tx, sessionId, fold.change);
  }
}

function readFoldable(store: OpenDatabase, sessionId: string) {
  const row = readSession(store, sessionId);
  if (row === undefined) return null;
  const usage = readJson(row.usage);
  return { ...row, usage: usage.ok && isRecord(usage.value) ? readUsage(usage.value) : null };
}
