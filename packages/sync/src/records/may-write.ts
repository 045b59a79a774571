import { RECORD_KINDS, RECORD_WRITERS, type RecordKind } from "@codehands/contracts";
import type { HeldRecord } from "../ports/held-record.ts";

const SHARED: ReadonlySet<number> = new Set(
  (Object.keys(RECORD_KINDS) as RecordKind[])
    .filter((kind) => RECORD_WRITERS[kind] === "shared")
    .map((kind) => RECORD_KINDS[kind]),
);

/** True for a kind that every device of the account writes (S22). */
export const isSharedKind = (kind: number): boolean => SHARED.has(kind);

/** S22: shared kinds are anybody's, all others are their writer's. */
export function mayWrite(record: Pick<HeldRecord, "kind" | "writer">, deviceId: string): boolean {
  return isSharedKind(record.kind) || record.writer === deviceId;
}
