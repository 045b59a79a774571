import type { CommandAnswer, SessionView } from "@codehands/api";
import type { RefusalCode } from "@codehands/contracts";

/** An answer that says no. */
export type Refusal = Extract<CommandAnswer, { ok: false }>;

/** Makes one: `reason` says what did not happen, `next` names the command that helps. */
export function refusal(
  code: RefusalCode,
  reason: string,
  { next = null, session = null }: { next?: string | null; session?: SessionView | null } = {},
): Refusal {
  return { ok: false, code, reason, next, session };
}
