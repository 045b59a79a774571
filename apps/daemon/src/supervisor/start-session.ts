import { randomUUID } from "node:crypto";
import type { CommandAnswer, StartInput } from "@codehands/api";
import { answerCommand } from "../commands/answer-command.ts";
import { payloadOf, readCommand } from "../commands/command-rows.ts";
import { readSession } from "../sessions/session-rows.ts";
import { carryOut } from "./carry-out.ts";
import { type NewStart, resolvedPayload, storeStart } from "./store-start.ts";
import type { Supervision } from "./supervision.ts";
import type { ResolvedStart } from "./supervisor-deps.ts";

/**
 * Takes a start: the session (queued), its task and the command are stored in one transaction before anything else
 * happens, so a prompt is never lost. The same command again gets its stored answer; other words under the id of an
 * existing session are refused as `already_running`.
 */
export async function startSession(s: Supervision, input: StartInput): Promise<CommandAnswer> {
  const { store, deviceId, deviceName } = s.deps;
  const known = readCommand(store, input.commandId);
  if (known !== undefined && isSameStart(known, input)) {
    return answerCommand(store, input.commandId, { deviceId, deviceName });
  }
  if (known !== undefined || readSession(store, input.sessionId) !== undefined) return refuseKnown(s, input);
  const resolved = await s.deps.resolveStart(input);
  if (!resolved.ok) return { ...resolved, session: null };
  const command = commandOf(s, input, resolved);
  return await carryOut(s, command, (tx) => storeStart(s, tx, { input, resolved, command }));
}

/** A start under a command or session id that is taken by other words. */
function refuseKnown(s: Supervision, input: StartInput): CommandAnswer {
  const { sessionId } = input;
  const session = readSession(s.deps.store, sessionId);
  const reason =
    session === undefined
      ? "Another start was sent under this command id. Nothing was started."
      : `Session ${sessionId.slice(0, 4)} exists already and is ${session.status}. Nothing was started.`;
  return { ok: false, code: "already_running", reason, next: "show", session: null };
}

function isSameStart(row: NonNullable<ReturnType<typeof readCommand>>, input: StartInput): boolean {
  const payload = payloadOf(row);
  return payload?.kind === "start" && row.sessionId === input.sessionId && payload.options.prompt === input.prompt;
}

function commandOf(s: Supervision, input: StartInput, resolved: ResolvedStart): NewStart["command"] {
  const { deviceId, clock } = s.deps;
  return {
    id: input.commandId,
    sessionId: input.sessionId,
    targetDeviceId: deviceId,
    senderDeviceId: deviceId,
    payload: resolvedPayload(input, resolved, randomUUID()),
    expects: { status: [] },
    incarnation: null,
    at: clock(),
  };
}
