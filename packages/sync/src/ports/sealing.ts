import type { RecordRow, Segment } from "@codehands/contracts";
import type { ChainedEvent, WaitingEvent } from "./held-log.ts";
import type { HeldRecord } from "./held-record.ts";

/** A run of events of one log, as it is to be sealed. */
export interface EventRun {
  streamId: string;
  kind: number;
  prevMac: string;
  events: readonly ChainedEvent[];
}

/** A failed opening: the item is kept sealed, with this code (V16). */
export interface NotOpened {
  ok: false;
  code: string;
}

/** What sync does not know about: sealing, signing and the keyed chain. It rejects when a key is missing (V12). */
export interface Sealing {
  /** One segment for each key epoch in the run, in order. */
  sealEvents(run: EventRun): Promise<Uint8Array[]>;
  openSegment(segment: Segment): Promise<{ ok: true; events: ChainedEvent[] } | NotOpened>;
  sealRecord(record: HeldRecord, writer: string): Promise<{ item: string; mac: string }>;
  /** What each row holds, in the order of the rows, of which no two have one key. */
  openRecords(rows: readonly RecordRow[]): Promise<({ ok: true; body: string } | NotOpened)[]>;
  /** Chain values of events that follow `prevMac` from seq `from` on. */
  chain(run: { streamId: string; prevMac: string; from: number; events: readonly WaitingEvent[] }): Promise<string[]>;
}
