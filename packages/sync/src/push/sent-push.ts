import type { RecordKey } from "../ports/held-record.ts";

/** What is remembered of a push while its answer is awaited; `gen` never leaves the device. */
export interface SentPush {
  gen: number;
  deviceId: string;
  logs: { streamId: string }[];
  records: (RecordKey & { mac: string })[];
}
