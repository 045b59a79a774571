import type { PushCode } from "@codehands/contracts";
import type { HeldRecord } from "../ports/held-record.ts";
import { mergeRecord, type OpenedRow } from "./merge-record.ts";

export interface RecordAnswer {
  code: PushCode;
  /** The mac that was sent. */
  mac: string;
  met: OpenedRow | null;
}

/** Codes that no pull can change (S26). */
const BLOCKED: ReadonlySet<PushCode> = new Set(["TOO_LARGE", "UNKNOWN_KIND"]);

/** S22–S26: what is held after the cloud answered one pushed record. Null: nothing. */
export function answerRecord(held: HeldRecord, { code, mac, met }: RecordAnswer): HeldRecord | null {
  if (met && held.base && met.row.version < held.base.version) return held;
  if (BLOCKED.has(code)) return held.mac === mac ? { ...held, blocked: code } : held;
  if (code === "FORBIDDEN") return held.mac === mac ? mergeRecord({ ...held, dirty: "" }, met, false) : held;
  return mergeRecord(held, met, code === "CONFLICT" && held.dirty === "salvage");
}
