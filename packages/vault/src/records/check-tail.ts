import { equalBytes } from "../bytes/join-bytes.ts";
import type { Refused } from "../outcome.ts";
import type { ChainAt, LogPosition } from "../sealing/place-segment.ts";

/** What the owner's signed session record says of its log (V21). */
export interface SignedTail {
  lastSeq: number;
  tailMac: Uint8Array;
}

/**
 * Whether a log as served to its end reaches what its owner signed (V21): TRUNCATED with the number of events that
 * are being withheld, FORK when it holds others at that seq.
 */
export function checkTail(
  signed: SignedTail,
  held: LogPosition,
  chainAt: ChainAt,
): { ok: true } | (Refused & { missing: number }) {
  const missing = signed.lastSeq - held.last;
  if (missing > 0) return { ok: false, code: "TRUNCATED", reason: `${missing} events are being withheld`, missing };
  const own = signed.lastSeq === held.last ? held.tail : chainAt(signed.lastSeq);
  if (signed.lastSeq === 0 || (own !== null && equalBytes(own, signed.tailMac))) return { ok: true };
  return { ok: false, code: "FORK", reason: `at ${signed.lastSeq}`, missing: 0 };
}
