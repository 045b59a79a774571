import { RECORD_KINDS, RECORD_WRITERS, type RecordKind } from "@codehands/contracts";
import { equalBytes } from "../bytes/join-bytes.ts";
import type { Refused } from "../outcome.ts";

/** What a device remembers of the newest copy it holds of a record (V25). */
export interface RecordMemory {
  writer: string;
  rev: number;
  n: number;
  hash: Uint8Array;
}

const SHARED: ReadonlySet<number> = new Set(
  (Object.keys(RECORD_KINDS) as RecordKind[])
    .filter((kind) => RECORD_WRITERS[kind] === "shared")
    .map((kind) => RECORD_KINDS[kind]),
);

/** True for a kind that every device of the account may write. An unknown kind has one writer. */
export const isShared = (kind: number): boolean => SHARED.has(kind);

export type Acceptance = { ok: true; is: "new" | "same" } | Refused;

/**
 * Whether an opened record may take the place of the held one (V22): NOT_ALLOWED for another writer of a single-writer
 * kind, ROLLBACK for an older rev or n, FORK for the same with other content. Of a shared kind an equal rev of another
 * writer is accepted: which one stays is the sync's to say (S24).
 */
export function acceptRecord(held: RecordMemory | null, next: RecordMemory & { kind: number }): Acceptance {
  if (held === null) return { ok: true, is: "new" };
  if (equalBytes(held.hash, next.hash)) return { ok: true, is: "same" };
  const sameWriter = held.writer === next.writer;
  const shared = isShared(next.kind);
  const no = (code: Refused["code"]): Refused => ({
    ok: false,
    code,
    reason: `kind ${next.kind}, rev ${next.rev} and n ${next.n} after rev ${held.rev} and n ${held.n}`,
  });
  if (!sameWriter && !shared) return no("NOT_ALLOWED");
  if (next.rev < held.rev || (sameWriter && next.n < held.n)) return no("ROLLBACK");
  if (sameWriter && (next.rev === held.rev || next.n === held.n)) return no("FORK");
  return { ok: true, is: "new" };
}
