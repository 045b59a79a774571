import type { RecordRow } from "@codehands/contracts";

/** A record as a device holds it. */
export interface HeldRecord {
  kind: number;
  id: string;
  rev: number;
  /** The JSON text; null while it cannot be opened. */
  body: string | null;
  deleted: boolean;
  writer: string;
  /** First 16 bytes of the sealed item's hash; empty until it is sealed. */
  mac: string;
  /** The sealed bytes, sent again as they are (V17); empty until it is sealed. */
  item: string;
  /** The cloud's row as last seen. */
  base: RecordRow | null;
  /** `salvage`: newer than what a restored cloud holds. */
  dirty: "" | "edit" | "salvage";
  /** Why the cloud refused it, until it is edited. */
  blocked: string | null;
  /** Why the cloud's row could not be opened (V16, S27); it never replaces what is held. */
  quarantine: string | null;
}

/** Names one record. */
export interface RecordKey {
  kind: number;
  id: string;
}

/** One text for a record's key. */
export const recordKey = ({ kind, id }: RecordKey): string => `${kind}:${id}`;
