import type { CompactRequest } from "@codehands/contracts";
import { CHAIN_START } from "../ports/held-log.ts";
import { isTooLarge } from "../sync-error.ts";
import { answerWithout, type SentBy } from "./answer-without.ts";
import type { SyncParts } from "./sync-parts.ts";

interface Range {
  streamId: string;
  from: number;
  to: number;
}

/**
 * S20: replaces many small segments of an own log by one; what does not fit is given up. It saves room and no more, so it
 * is asked for once: whoever wanted it wants it again, or not.
 */
export async function compactLog(parts: SyncParts, range: Range): Promise<void> {
  const { cloud, memory, onFault } = parts;
  const { streamId, from, to } = range;
  memory.compactions = memory.compactions.filter((one) => one.streamId !== streamId || one.from !== from);
  const name = `The events ${from} to ${to} of session ${streamId}`;
  const made = await sealRange(parts, range).catch((error: unknown) => {
    onFault(`${name} could not be sealed as one segment. They stay as they are.`, error);
    return null;
  });
  if (!made) return;
  try {
    const reply = await cloud.compact(made.request, made.body);
    if (!("code" in reply)) await answerWithout(parts, reply, made.sent);
  } catch (error) {
    // Not this much at once, now or later; the size of a push has nothing to do with it.
    if (!isTooLarge(error)) throw error;
    onFault(`${name} are too large as one segment. They stay as they are.`, error);
  }
}

interface Made {
  request: CompactRequest;
  body: Uint8Array;
  sent: SentBy;
}

async function sealRange({ store, sealing, memory }: SyncParts, { streamId, from, to }: Range): Promise<Made | null> {
  const view = await store.read({ logs: [streamId], events: { streamId, from: Math.max(1, from - 1), to } });
  const log = view.logs.get(streamId);
  const events = view.events.filter((event) => event.seq >= from);
  const prevMac = from === 1 ? CHAIN_START : view.events.find((event) => event.seq === from - 1)?.mac;
  const mac = events.at(-1)?.mac;
  if (!log || prevMac === undefined || mac === undefined || events.length !== to - from + 1) return null;
  const [body, ...more] = await sealing.sealEvents({ streamId, kind: log.kind, prevMac, events });
  // A key changed inside the range: two epochs are never merged (V12).
  if (!body || more.length > 0) return null;
  const request = { boot: memory.boot, streamId, writerEpoch: 1, from, to, prevMac, mac };
  return { request, body, sent: view.state };
}
