import type { SegmentsReply } from "@codehands/api/cloud";
import { CHAIN_START, type ChainedEvent } from "@codehands/sync";
import { explainCode } from "@codehands/vault";
import { DeviceError } from "../device-error.ts";
import type { DeviceHome } from "../home.ts";
import type { DeviceCalls } from "../keys/device-calls.ts";
import type { DeviceStore } from "../ports/device-store.ts";
import type { ReplicaDeps } from "../ports/replica-deps.ts";
import { openWholeSegment } from "../sealing/open-whole-segment.ts";

type Range = Parameters<ReplicaDeps["eventsBefore"]>[0];

/** What reading stands on. */
export interface ReadingHome extends Pick<DeviceHome, "member"> {
  readonly loop: { calls: Pick<DeviceCalls, "call"> } | null;
  readonly options: { store: Pick<DeviceStore, "logOf" | "eventsOf"> };
}

/** How many segments one answer may hold. */
const SEGMENTS = 20;

/**
 * Reads a log backwards from the cloud: each segment is proved by its writer's signature and joined to the one after it,
 * the last one to what is known of the log at that place (V20). Throws DeviceError `no_account`, `not_found` for a log
 * that is gone, `refused` for what does not verify; CloudCallError when the cloud cannot be reached.
 */
export async function readBefore(
  { member, loop, options }: ReadingHome,
  { streamId, writer, before, limit }: Range,
): Promise<ChainedEvent[]> {
  if (!member || !loop) throw new DeviceError("no_account", "There is no account on this device.");
  let events: ChainedEvent[] = [];
  let at = { seq: before - 1, mac: await knownMac(options.store, streamId, before - 1) };
  while (at.seq > 0 && events.length < limit) {
    const request = { streamId, before: at.seq + 1, limit: SEGMENTS };
    const reply: SegmentsReply = await loop.calls.call((client) => client.sync.segments.query(request));
    if ("gone" in reply) throw new DeviceError("not_found", "This session is not in the cloud any more.");
    const older: ChainedEvent[] = [];
    for (const segment of [...reply.segments].sort((a, b) => b.fromSeq - a.fromSeq)) {
      const opened = await openWholeSegment(member.access(), segment, writer);
      if (!opened.ok) throw refused(opened.code);
      const part = opened.value.filter(({ seq }) => seq <= at.seq);
      const last = part.at(-1);
      if (!last || last.seq !== at.seq) throw refused("GAP");
      if (at.mac !== null && last.mac !== at.mac) throw refused("FORK");
      if (segment.fromSeq === 1 && segment.prevMac !== CHAIN_START) throw refused("FORK");
      older.unshift(...part);
      at = { seq: segment.fromSeq - 1, mac: segment.prevMac };
      if (at.seq === 0) break;
    }
    if (older.length === 0) throw refused("GAP");
    events = [...older, ...events];
  }
  return events;
}

const refused = (code: "GAP" | "FORK" | Parameters<typeof explainCode>[0]): DeviceError =>
  new DeviceError("refused", `${explainCode(code)} (${code})`);

/** The chain value that is known at a seq: of an event that is held, or of the log's row. Null: nobody knows it yet. */
async function knownMac(store: ReadingHome["options"]["store"], streamId: string, seq: number): Promise<string | null> {
  if (seq <= 0) return CHAIN_START;
  const log = await store.logOf(streamId);
  if (log && seq <= log.lastSeq) {
    const [event] = await store.eventsOf({ streamId, after: seq - 1, limit: 1 });
    return event?.seq === seq ? event.mac : null;
  }
  return log?.row?.lastSeq === seq ? log.row.tailMac : null;
}
