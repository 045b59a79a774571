import { type CommandAnswer, explainDoubt, type SessionView } from "@codehands/api";
import { REFUSAL_CODES } from "@codehands/contracts";
import type { CommandFate } from "./command-fate.ts";
import { refusal } from "./refusal.ts";

/** A command's fate as the answer to who sent it; that it may or may not have run is an answer as well. */
export function answerOf(fate: CommandFate, session: SessionView | null): CommandAnswer {
  const { state, commandId, device, lastHeardAt, reason, result } = fate;
  switch (state) {
    case "done":
      return { ok: true, session, result };
    case "queued":
    case "delivered":
      return { ok: true, session, result: null, pending: { commandId, state, device, lastHeardAt } };
    case "expired":
      return refusal(
        "expired",
        `${device.name} did not see the command within 24 hours. Nothing was done: send it again.`,
        {
          next: "show",
          session,
        },
      );
    case "withdrawn":
      return refusal("expired", "The command was taken back before its device began. Nothing was done.", { session });
    case "in_doubt": {
      const why = reason ?? `${device.name} went away while it worked at the command.`;
      return refusal("in_doubt", explainDoubt(why), { next: "show", session });
    }
    case "refused": {
      const next = typeof result?.next === "string" ? result.next : null;
      // A newer owner may have a code that is not known here: it did not make the move, and its sentence says why.
      const code = REFUSAL_CODES.find((known) => known === fate.code) ?? "illegal_move";
      return refusal(code, reason ?? `${device.name} refused the command. Nothing was done.`, { next, session });
    }
  }
}
