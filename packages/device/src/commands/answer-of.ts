import type { CommandAnswer, SessionView } from "@codehands/api";
import { REFUSAL_CODES } from "@codehands/contracts";
import { DeviceError } from "../device-error.ts";
import type { CommandFate } from "./command-fate.ts";
import { refusal } from "./refusal.ts";

/**
 * A command's fate as the answer to who sent it. Throws `command_failed` when it may or may not have run: no answer
 * would be true.
 */
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
    case "in_doubt":
      throw new DeviceError(
        "command_failed",
        `${device.name} went away while it worked at the command: it may or may not have run. Look at the session.`,
      );
    case "refused": {
      const next = typeof result?.next === "string" ? result.next : null;
      const code = REFUSAL_CODES.find((known) => known === fate.code);
      if (code !== undefined) return refusal(code, reason ?? `${device.name} refused the command.`, { next, session });
      throw new DeviceError("command_failed", reason ?? `The command failed on ${device.name}. Look at the session.`);
    }
  }
}
