import { TRPCError } from "@trpc/server";
import type { Caller } from "./ports.ts";
import type { CommandAnswer } from "./schemas/command.ts";

/** Why the caller may not decide; null when a person calls. */
export function whyNotDecide(caller: Caller): string | null {
  return caller.runId === null
    ? null
    : "This call comes from an agent's run, and only a person may decide this. Nothing was changed.";
}

/** The refusal as an answer to a command. */
export function agentMayNotAnswer(reason: string): CommandAnswer {
  return { ok: false, code: "agent_may_not", reason, next: null, session: null };
}

/** The refusal where a call has no refusing answer. */
export function agentMayNotError(reason: string): TRPCError {
  const cause = Object.assign(new Error(reason), { code: "agent_may_not" as const });
  return new TRPCError({ code: "FORBIDDEN", message: reason, cause });
}
