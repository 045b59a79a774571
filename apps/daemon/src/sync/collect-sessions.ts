import type { Writing } from "@codehands/client";
import {
  appendOwn,
  CHAIN_START,
  type ChainedEvent,
  Draft,
  editRecord,
  newLog,
  type WaitingEvent,
} from "@codehands/client/store";
import { LOG_KINDS, RECORD_KINDS } from "@codehands/contracts";
import { inTransaction, type Tx } from "../database/transaction.ts";
import { lineOf } from "../sessions/event-line.ts";
import { chainValueAt, readCells } from "../sessions/event-log.ts";
import { viewSession } from "../sessions/read-sessions.ts";
import { markSessionSent } from "../sessions/session-rows.ts";
import type { CollectDeps } from "./collector.ts";
import { cutPrompt } from "./cut-prompt.ts";
import { readLog } from "./log-rows.ts";
import { readRecord } from "./record-rows.ts";
import { planSessionRecord, sessionBody } from "./session-record.ts";

/** What one transaction writes at most; a blocked event loop is felt by whoever types. */
const BATCH = { sessions: 25, events: 500, bytes: 500_000 };

/** Until a session is looked at again whose log changed meanwhile, or whose events wait for their numbers. */
const RETRY_MS = 500;

/** Events of one session that have their chain values and are not stored with them yet. */
interface Chained {
  sessionId: string;
  lastSeq: number;
  tailMac: string;
  /** How many events waited for a number: then these do as well. */
  queued: number;
  events: ChainedEvent[];
  /** More events of it are there than the batch may hold. */
  more: boolean;
}

/**
 * Writes the events and records of the first sessions of a queue, a batch. What did not fit into it goes back into the
 * queue. Returns when the next record may be written, milliseconds from now; null when none waits.
 */
export async function collectSessions(deps: CollectDeps, writing: Writing, queue: string[]): Promise<number | null> {
  const batch: Chained[] = [];
  let room = { events: BATCH.events, bytes: BATCH.bytes };
  while (batch.length < BATCH.sessions && room.events > 0 && room.bytes > 0) {
    const sessionId = queue.shift();
    if (sessionId === undefined) break;
    const chained = await chainNext(deps, writing, { sessionId, ...room });
    batch.push(chained);
    if (chained.more) queue.unshift(sessionId);
    const bytes = chained.events.reduce((sum, { line }) => sum + line.length, 0);
    room = { events: room.events - chained.events.length, bytes: room.bytes - bytes };
    if (chained.more) break;
  }
  const written = inTransaction(deps.store, (tx) => ({ list: batch.map((one) => writeOne(tx, deps, one)) }));
  let later: number | null = null;
  for (const { announce, ms, settled, sessionId } of written.list) {
    announce();
    if (settled) deps.resting.add(sessionId);
    if (ms !== null) later = Math.min(later ?? ms, ms);
  }
  return later;
}

async function chainNext(
  { store }: CollectDeps,
  writing: Writing,
  { sessionId, events: most, bytes }: { sessionId: string; events: number; bytes: number },
): Promise<Chained> {
  const log = readLog(store, sessionId);
  const lastSeq = log?.lastSeq ?? 0;
  const tailMac = log?.tailMac ?? CHAIN_START;
  // What waits for its number stands between what is chained and what is new (S17).
  const queued = log?.waiting ?? 0;
  const held = lastSeq + queued;
  const waiting: WaitingEvent[] = [];
  const found = log?.dead ? [] : readCells(store, { sessionId, from: held + 1, to: held + most });
  let left = bytes;
  for (const cells of found) {
    const line = lineOf(cells);
    left -= line.length;
    if (left < 0 && waiting.length > 0) break;
    waiting.push({ id: cells.id, line });
  }
  const from = lastSeq + 1;
  const run = { streamId: sessionId, prevMac: tailMac, from, events: waiting };
  const macs = waiting.length === 0 || queued > 0 ? [] : await writing.chain(run);
  const events = waiting.map((event, at) => ({ ...event, seq: from + at, mac: macs[at] ?? "" }));
  return { sessionId, lastSeq, tailMac, queued, events, more: found.length === most || waiting.length < found.length };
}

interface Written {
  sessionId: string;
  announce: () => void;
  ms: number | null;
  settled: boolean;
  /** The session's rev that its record tells now; null while it tells an older one. */
  sentRev: number | null;
}

function writeOne(tx: Tx, deps: CollectDeps, chained: Chained): Written {
  const { sessionId, events } = chained;
  const { store } = deps;
  const key = { kind: RECORD_KINDS.session, id: sessionId };
  const plan: Omit<Written, "announce" | "sessionId"> = { ms: null, settled: false, sentRev: null };
  const applied = deps.device.applyIn(tx, { logs: [sessionId], records: [key] }, (view) => {
    const draft = new Draft(view);
    const { deviceId } = view.state;
    const held = draft.log(sessionId);
    const log = held ?? newLog({ streamId: sessionId, kind: LOG_KINDS.session, writer: deviceId });
    // What was chained stood on this very end of the log.
    const isSame = log.lastSeq === chained.lastSeq && log.tailMac === chained.tailMac && log.waiting === chained.queued;
    const fits = isSame && log.writer === deviceId;
    if (fits && events.length > 0)
      appendOwn(draft, log, chained.queued > 0 ? { waiting: events } : { chained: events });
    if (!fits || chained.queued > 0) plan.ms = RETRY_MS;
    const row = viewSession(store, sessionId, deps.context());
    const session = row && { ...row, prompt: cutPrompt(row.prompt) };
    // A row that cannot be read tells nothing; it is counted where sessions are listed.
    if (session === null || log.dead || log.writer !== deviceId) {
      plan.settled = true;
      return { changes: draft.changes(), result: undefined };
    }
    const end = draft.log(sessionId) ?? log;
    const now = deps.elapsed();
    const writtenAt = deps.writtenAt.get(sessionId) ?? Number.NEGATIVE_INFINITY;
    const told = readRecord(store, key)?.body ?? null;
    const decided = planSessionRecord({
      view: session,
      told,
      chainedSeq: end.lastSeq,
      macAt: (seq) => chainValueAt(store, sessionId, seq),
      writtenAt,
      now,
    });
    if (decided.do === "later") plan.ms = decided.ms;
    const isCaughtUp = end.lastSeq >= session.lastSeq;
    if (decided.do === "write") {
      draft.putRecord(key, editRecord(draft.record(key), { ...key, body: sessionBody(session, end) }, deviceId));
      deps.writtenAt.set(sessionId, now);
    }
    const isRunning = session.status === "running";
    if (isCaughtUp && !isRunning && decided.do !== "later") plan.sentRev = session.rev;
    plan.settled = isCaughtUp && isRunning && decided.do !== "later";
    return { changes: draft.changes(), result: undefined };
  });
  if (plan.sentRev !== null) markSessionSent(tx, sessionId, plan.sentRev);
  return { sessionId, announce: applied.announce, ...plan };
}
