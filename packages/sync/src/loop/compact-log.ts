import { CHAIN_START } from "../ports/held-log.ts";
import { answerWithout } from "./answer-without.ts";
import type { SyncParts } from "./sync-parts.ts";

/** S20: replaces many small segments of an own log by one; what does not fit is given up. */
export async function compactLog(
  parts: SyncParts,
  { streamId, from, to }: { streamId: string; from: number; to: number },
): Promise<void> {
  const { cloud, store, sealing, memory } = parts;
  const view = await store.read({ logs: [streamId], events: { streamId, from: Math.max(1, from - 1), to } });
  const log = view.logs.get(streamId);
  const events = view.events.filter((event) => event.seq >= from);
  const prevMac = from === 1 ? CHAIN_START : view.events.find((event) => event.seq === from - 1)?.mac;
  const mac = events.at(-1)?.mac;
  const done = (): void => {
    memory.compactions = memory.compactions.filter((one) => one.streamId !== streamId || one.from !== from);
  };
  if (!log || prevMac === undefined || mac === undefined || events.length !== to - from + 1) return done();
  const [body, ...more] = await sealing.sealEvents({ streamId, kind: log.kind, prevMac, events });
  // A key changed inside the range: two epochs are never merged (V12).
  if (!body || more.length > 0) return done();
  const range = { streamId, writerEpoch: 1, from, to, prevMac, mac };
  const reply = await cloud.compact({ boot: memory.boot, ...range }, body);
  done();
  if (!("code" in reply)) await answerWithout(parts, reply, view.state);
}
