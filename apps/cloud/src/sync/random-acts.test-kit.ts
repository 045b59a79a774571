import { randomUUID } from "node:crypto";
import { RECORD_KINDS } from "@codehands/contracts";
import * as fc from "fast-check";

/** Ids are the same in every act, so that acts meet. In the order of the alphabet, as rows are locked. */
export const STREAMS = [randomUUID(), randomUUID(), randomUUID()].sort();
export const RECORDS = [
  { kind: RECORD_KINDS.task, id: randomUUID() },
  { kind: RECORD_KINDS.preference, id: randomUUID() },
  { kind: RECORD_KINDS.session, id: randomUUID() },
  { kind: RECORD_KINDS.outcome, id: randomUUID() },
] as const;

/** Most acts go on where the cloud is, some miss. */
const nearly = fc.constantFrom(0, 0, 0, 0, 0, -1, 1, -2);
const seldom = fc.constantFrom(false, false, false, false, false, false, false, true);

const logAct = fc.record({
  stream: fc.nat({ max: STREAMS.length - 1 }),
  /** Where it begins, counted from behind the cloud's last seq; `repeat` sends the cloud's last events again. */
  offset: nearly,
  repeat: fc.constantFrom(false, false, true),
  events: fc.integer({ min: 1, max: 4 }),
  isOtherHistory: seldom,
  writerEpoch: fc.constantFrom(1, 1, 1, 1, 1, 2),
  deleted: seldom,
});
const recordAct = fc.record({
  record: fc.nat({ max: RECORDS.length - 1 }),
  baseOffset: nearly,
  rev: fc.integer({ min: 1, max: 5 }),
  isOthersItem: seldom,
  deleted: seldom,
});

/** One push of one of two devices. */
export const act = fc.record({
  device: fc.nat({ max: 1 }),
  isOldLineage: seldom,
  isOldBoot: seldom,
  again: seldom,
  logs: fc.uniqueArray(logAct, { selector: ({ stream }) => stream, maxLength: 3 }),
  records: fc.uniqueArray(recordAct, { selector: ({ record }) => record, maxLength: 3 }),
});
export type Act = typeof act extends fc.Arbitrary<infer One> ? One : never;
