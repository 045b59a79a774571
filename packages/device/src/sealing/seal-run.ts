import type { ChainedEvent, EventRun } from "@codehands/sync";
import {
  chainEvents,
  fromBase64url,
  type SegmentPlan,
  sealSegment,
  toBase64url,
  VaultError,
  type WriteAccess,
} from "@codehands/vault";
import { DeviceError } from "../device-error.ts";

const utf8 = new TextEncoder();

/** One part of a run: events that one epoch's key chained. */
interface Part {
  epoch: number;
  plan: SegmentPlan;
}

/**
 * Seals a run under the keys that chained it, one segment for each key epoch, in order (V12, V19): the newest, and older
 * ones for what a restored cloud gets again. Throws `broken_store` when no key gives the stored chain values.
 */
export async function sealRun(access: WriteAccess, run: EventRun): Promise<Uint8Array[]> {
  const sealed: Uint8Array[] = [];
  for (const { epoch, plan } of await splitByEpoch(access, run)) {
    const under = epoch === access.roster.epoch ? access : { ...access, roster: { ...access.roster, epoch } };
    sealed.push((await sealSegment(under, plan)).bytes);
  }
  return sealed;
}

async function splitByEpoch(access: WriteAccess, { streamId, prevMac, events }: EventRun): Promise<Part[]> {
  const parts: Part[] = [];
  let rest: readonly ChainedEvent[] = events;
  let before = fromBase64url(prevMac);
  for (let [first] = rest; first; [first] = rest) {
    const part = await longestPart(access, { streamId, before, from: first.seq, events: rest });
    if (!part)
      throw new DeviceError("broken_store", `The stored history of ${streamId} does not fit its keys at ${first.seq}.`);
    parts.push(part);
    before = part.plan.values?.at(-1) ?? before;
    rest = rest.slice(part.plan.events.length);
  }
  return parts;
}

interface Run {
  streamId: string;
  before: Uint8Array;
  from: number;
  events: readonly ChainedEvent[];
}

/** The first events of a run that the key of one epoch chained, the newest epoch first; null when none did. */
async function longestPart(access: WriteAccess, { streamId, before, from, events }: Run): Promise<Part | null> {
  for (let epoch = access.roster.epoch; epoch >= 1; epoch--) {
    if (!access.keys.has(epoch)) {
      if (epoch === access.roster.epoch) throw new VaultError("KEY_MISSING", `epoch ${epoch}`);
      continue;
    }
    const lines = events.map(({ line }) => utf8.encode(line));
    const values = await chainEvents(access, { stream: streamId, epoch, before, from, events: lines });
    const differs = values.findIndex((value, at) => toBase64url(value) !== events[at]?.mac);
    const length = differs < 0 ? events.length : differs;
    if (length === 0) continue;
    const own = { events: lines.slice(0, length), values: values.slice(0, length) };
    return { epoch, plan: { stream: streamId, writerEpoch: 1, from, before, ...own } };
  }
  return null;
}
