import { randomUUID } from "node:crypto";
import type { Writing } from "@codehands/client";
import {
  appendOwn,
  CHAIN_START,
  cutChange,
  Draft,
  deleteLog,
  editRecord,
  newLog,
  type SealedChange,
} from "@codehands/client/store";
import { type Diff, LOG_KINDS, RECORD_KINDS } from "@codehands/contracts";
import type { OpenDatabase } from "../database/open-database.ts";
import { inTransaction } from "../database/transaction.ts";
import type { SqliteDeviceStore } from "../sync/sqlite-device-store.ts";
import { putChange, readChange } from "./change-rows.ts";
import { maskPatch } from "./mask-change.ts";

export interface SealDeps {
  store: OpenDatabase;
  device: SqliteDeviceStore;
  /** Masks what looks like a secret in a text. */
  redact: (text: string) => string;
}

export interface ChangeToSeal {
  sessionId: string;
  diff: Diff;
  baseCommit: string | null;
}

/**
 * Stores what a review of a session needs as a log of its own and names it in the session's change record, so that
 * another device can review while this one is off. The change before it is kept, an older one goes. False when this
 * device became another one meanwhile.
 */
export async function sealChange(deps: SealDeps, writing: Writing, change: ChangeToSeal): Promise<boolean> {
  const { sessionId, diff, baseCommit } = change;
  const patch = await maskPatch(diff.patch, deps.redact);
  const cut = await cutChange({ ...diff, patch, baseCommit } satisfies SealedChange);
  const streamId = randomUUID();
  const { lines, ...about } = cut;
  // As whoever opens its segments names them: after a restore the same slice is known again.
  const waiting = lines.map((line, at) => ({ id: `${streamId}:${at + 1}`, line }));
  const macs = await writing.chain({ streamId, prevMac: CHAIN_START, from: 1, events: waiting });
  const chained = waiting.map((event, at) => ({ ...event, seq: at + 1, mac: macs[at] ?? "" }));
  const key = { kind: RECORD_KINDS.change, id: sessionId };
  const applied = inTransaction(deps.store, (tx) => {
    const old = readChange(deps.store, sessionId)?.previousStreamId ?? null;
    const done = deps.device.applyIn(tx, { records: [key], logs: old === null ? [] : [old] }, (view) => {
      const draft = new Draft(view);
      const { deviceId } = view.state;
      if (deviceId !== writing.deviceId) return { changes: [], result: false };
      appendOwn(draft, newLog({ streamId, kind: LOG_KINDS.change, writer: deviceId }), { chained });
      const body = JSON.stringify({ ...about, streamId });
      draft.putRecord(key, editRecord(draft.record(key), { ...key, body }, deviceId));
      const log = old === null ? null : draft.log(old);
      if (log !== null && log.writer === deviceId) deleteLog(draft, log);
      return { changes: draft.changes(), result: true };
    });
    if (done.result) putChange(tx, { sessionId, treeId: cut.treeId, streamId });
    return { done };
  });
  applied.done.announce();
  return applied.done.result;
}
