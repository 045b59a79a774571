import type { Segment } from "@codehands/contracts";
import { Draft, heldOf } from "../feed/draft.ts";
import { adoptEvents } from "../logs/adopt-events.ts";
import { judgeLog } from "../logs/judge-log.ts";
import { type Matched, matchSegments, type OpenedSegment } from "../logs/match-segments.ts";
import { CHAIN_START } from "../ports/held-log.ts";
import type { Decision, LogView, View } from "../ports/store.ts";
import { answerWithout } from "./answer-without.ts";
import { settle } from "./settle.ts";
import type { SyncParts } from "./sync-parts.ts";

/** S18: asks for segments of one log and joins them to what is held. */
export async function fetchSegments(
  parts: SyncParts,
  { state }: View,
  { log, after }: { log: LogView; after: number },
): Promise<void> {
  const { cloud, memory } = parts;
  const { streamId } = log;
  const { gen, deviceId } = state;
  const reply = await cloud.segments({ streamId, after, limit: parts.limits.segments });
  if ("answer" in reply) return answerWithout(parts, reply, { gen, deviceId });
  if ("gone" in reply) {
    memory.atHead = false;
    return;
  }
  const { segments, failed } = await openSegments(parts, reply.segments);
  if (segments.length === 0 && failed !== null) return blockLog(parts, log, failed);
  await joinSegments(parts, { log, after, gen, segments });
}

async function openSegments(
  { sealing }: SyncParts,
  sealed: readonly Segment[],
): Promise<{ segments: OpenedSegment[]; failed: string | null }> {
  const segments: OpenedSegment[] = [];
  for (const segment of sealed) {
    const opened = await sealing.openSegment(segment);
    if (!opened.ok) return { segments, failed: opened.code };
    segments.push({ fromSeq: segment.fromSeq, prevMac: segment.prevMac, events: opened.events });
  }
  return { segments, failed: null };
}

/** V16: what cannot be opened blocks the log until its row is newer; nothing held is replaced. */
async function blockLog({ store }: SyncParts, log: LogView, code: string): Promise<void> {
  await store.apply({ logs: [log.streamId] }, (view) => {
    const draft = new Draft(view);
    const now = draft.log(log.streamId);
    if (now?.row) draft.putLog({ ...now, blocked: { code, version: now.row.version } });
    return { changes: draft.changes(), result: undefined };
  });
}

interface Joined {
  matched: Matched;
  log: LogView;
  leaves?: true;
}
interface Joining {
  log: LogView;
  after: number;
  gen: number;
  segments: readonly OpenedSegment[];
}

async function joinSegments(parts: SyncParts, { log, after, gen, segments }: Joining): Promise<void> {
  const { store, memory } = parts;
  const { streamId } = log;
  const from = Math.max(1, (segments[0]?.fromSeq ?? 1) - 1);
  const need = { logs: [streamId], events: { streamId, from, to: Number.MAX_SAFE_INTEGER } };
  const done = await store.apply(need, (view): Decision<Joined | null> => {
    const now = view.logs.get(streamId);
    const { deviceId } = view.state;
    const wanted = now && view.state.gen === gen && judgeLog(now, deviceId).do === "segments";
    if (!now || !wanted) return { changes: [], result: null };
    const macs = new Map(view.events.map((event) => [event.seq, event.mac]));
    const ownMac = (seq: number): string | null => (seq === 0 ? CHAIN_START : (macs.get(seq) ?? null));
    const matched = matchSegments({ lastSeq: now.lastSeq, ownMac, after, segments });
    if (matched.do !== "adopt") return { changes: [], result: { matched, log: now } };
    const { keep, events } = matched;
    // A tail of the old id becomes a session of its own first (S16); then the segments are asked for again.
    const leaves = keep < now.lastSeq && now.mine && now.writer !== deviceId;
    if (leaves) return { changes: [], result: { matched, log: now, leaves: true } };
    const draft = new Draft(view);
    const cut = view.events.filter((event) => event.seq > keep);
    adoptEvents(draft, { log: heldOf(now), keep, events, waiting: view.waiting, cut });
    return { changes: draft.changes(), result: { matched, log: now } };
  });
  if (!done) return;
  const { matched, leaves } = done;
  if (matched.do === "adopt") {
    memory.probe.delete(streamId);
    if (leaves) await settle(parts, forkAt(done.log, matched.keep));
    return;
  }
  memory.probe.set(streamId, matched.after);
  if (matched.do === "look-back" && matched.stale) memory.atHead = false;
}

function forkAt(log: LogView, at: number): Parameters<typeof settle>[1] {
  return { do: "log", log, judgement: { do: "fork", at, drop: false } };
}
