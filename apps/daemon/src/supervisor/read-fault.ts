import { END_REASONS, type EndReason, REFUSAL_CODES, type RefusalCode } from "@codehands/contracts";
import type { Ending } from "../commands/command-rows.ts";

/** How a command ends whose runner threw: refused when the runner said so, else in doubt with what went wrong. */
export function endingOf(error: unknown, next = "show"): Ending {
  const code = refusalOf(error);
  const reason = sentenceOf(error);
  return code === null ? { state: "in_doubt", reason } : { state: "refused", code, reason, result: { next } };
}

/** The refusal a runner's error stands for; null when it is a fault. */
export function refusalOf(error: unknown): RefusalCode | null {
  const code = codeOf(error);
  return REFUSAL_CODES.find((known) => known === code) ?? null;
}

/** Why a run ended that threw instead of saying it by an event. */
export function endReasonOf(error: unknown): EndReason {
  const code = codeOf(error);
  return END_REASONS.find((known) => known === code) ?? "agent_error";
}

/** What an error says, for a person. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error && error.message !== "" ? error.message : String(error);
}

/** True for an error of the database itself, such as a full disk. */
export function isStorageFault(error: unknown): boolean {
  return String(codeOf(error)).startsWith("SQLITE_");
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : null;
}
