import { LOG_KINDS, RECORD_KINDS, type SegmentsReply } from "@codehands/contracts";
import { type HeldLog, recordKey } from "@codehands/sync";
import type { DeviceStore } from "../ports/device-store.ts";
import { readObject, textOf } from "../replica/read-json.ts";
import { isPassing } from "./is-passing.ts";
import { AT_REST, type CompactionRange, planCompaction, WHILE_IT_GROWS } from "./plan-compaction.ts";
import type { CloudSegment, SegmentLedger } from "./segment-ledger.ts";

export interface CompactionDeps {
  store: Pick<DeviceStore, "read" | "logOf" | "eventsOf">;
  ledger: SegmentLedger;
  /** This device's id. */
  me: () => string;
  /** Segments as the cloud has them, from the one on that covers `after` + 1. */
  segments: (request: { streamId: string; after: number; limit: number }) => Promise<SegmentsReply>;
  /** Puts a range together when nothing else is to be exchanged. */
  compact: (range: CompactionRange & { streamId: string }) => void;
}

/** How many segments one answer holds, and how many answers are worth it: what is larger is not of small segments. */
const SEGMENTS = 200;
const MOST_ANSWERS = 20;
/** How many events are looked at in one go. */
const EVENTS = 200;

/**
 * S20: looks for small segments of own logs that lie side by side in the cloud, and asks for them to be put together: of a
 * log that grows when there are many, of one at rest also when there are few. Asked when nothing is left to send.
 */
export async function askForCompaction(deps: CompactionDeps): Promise<void> {
  const { store, ledger } = deps;
  for (const streamId of ledger.open()) {
    const log = await store.logOf(streamId);
    if (!log || log.dead || log.writer !== deps.me()) {
      ledger.forget(streamId);
      continue;
    }
    if (!isSent(log)) continue;
    const rests = await isAtRest(store, log);
    const gain = rests ? AT_REST : WHILE_IT_GROWS;
    if (rests && !isWhole(ledger.of(streamId), log) && !ledger.wasAsked(streamId)) await askForAll(deps, log);
    if (ledger.of(streamId).length >= gain.least) await countBytes(deps, streamId);
    const ranges = planCompaction(ledger.of(streamId), gain);
    for (const range of ranges) deps.compact({ streamId, ...range });
    if (rests && ranges.length === 0) ledger.close(streamId);
  }
}

/** All of it is the cloud's. */
const isSent = ({ lastSeq, pushedSeq, waiting, row }: HeldLog): boolean =>
  waiting === 0 && pushedSeq === lastSeq && row?.lastSeq === lastSeq;

/** Every event lies in a segment that is known here. */
function isWhole(segments: readonly CloudSegment[], { lastSeq }: HeldLog): boolean {
  let next = 1;
  for (const { from, to } of segments) {
    if (from !== next) return false;
    next = to + 1;
  }
  return next === lastSeq + 1;
}

/** No run goes on: a session that waits, stands or has ended; a change, which is written in one go. */
async function isAtRest(store: CompactionDeps["store"], { streamId, kind }: HeldLog): Promise<boolean> {
  if (kind !== LOG_KINDS.session) return true;
  const key = { kind: RECORD_KINDS.session, id: streamId };
  const record = (await store.read({ records: [key] })).records.get(recordKey(key));
  const status = textOf(readObject(record?.body ?? null), "status");
  return status !== null && status !== "queued" && status !== "running";
}

/** An earlier process pushed some of it. */
async function askForAll({ segments, ledger }: CompactionDeps, { streamId, lastSeq }: HeldLog): Promise<void> {
  const all: CloudSegment[] = [];
  try {
    for (let answers = 0, after = 0; after < lastSeq; answers++) {
      const reply = await segments({ streamId, after, limit: SEGMENTS });
      const found = "gone" in reply ? [] : reply.segments;
      const last = found.at(-1)?.toSeq ?? 0;
      if (last <= after || answers === MOST_ANSWERS) return ledger.askedFor(streamId, null);
      all.push(...found.map(({ fromSeq, toSeq, keyId }) => ({ from: fromSeq, to: toSeq, epoch: keyId, bytes: null })));
      after = last;
    }
    ledger.askedFor(streamId, all);
  } catch (error) {
    if (isPassing(error)) return;
    ledger.askedFor(streamId, null);
    throw error;
  }
}

/** Counts the bytes of the lines in segments that were not counted yet. */
async function countBytes({ store, ledger }: CompactionDeps, streamId: string): Promise<void> {
  const utf8 = new TextEncoder();
  let lines: { seq: number; bytes: number }[] = [];
  for (const { from, to } of ledger.of(streamId).filter(({ bytes }) => bytes === null)) {
    lines = lines.filter(({ seq }) => seq >= from);
    while ((lines.at(-1)?.seq ?? from - 1) < to) {
      const after = lines.at(-1)?.seq ?? from - 1;
      const events = await store.eventsOf({ streamId, after, limit: EVENTS });
      if (events.length === 0) return;
      lines.push(...events.map(({ seq, line }) => ({ seq, bytes: utf8.encode(line).length })));
    }
    const own = lines.filter(({ seq }) => seq <= to);
    ledger.counted(
      streamId,
      from,
      own.reduce((sum, { bytes }) => sum + bytes, 0),
    );
  }
}
