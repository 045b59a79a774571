import { randomUUID } from "node:crypto";
import type { CommandAnswer, StartInput } from "@codehands/api";
import type { Command, StartPayload } from "@codehands/contracts";
import { answerCommand } from "../commands/answer-command.ts";
import { endCommand, payloadOf, readCommand } from "../commands/command-rows.ts";
import { toJson } from "../database/read-json.ts";
import type { Tx } from "../database/transaction.ts";
import { touchClone } from "../repos/clone-rows.ts";
import { touchRepo } from "../repos/repo-rows.ts";
import { insertSession, readSession } from "../sessions/session-rows.ts";
import { insertTask } from "../tasks/task-rows.ts";
import { carryOut } from "./carry-out.ts";
import { firstLine } from "./default-message.ts";
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

interface NewStart {
  input: StartInput;
  resolved: ResolvedStart;
  command: Command & { payload: StartPayload };
}

function commandOf(s: Supervision, input: StartInput, resolved: ResolvedStart): NewStart["command"] {
  const { deviceId, clock } = s.deps;
  const { agent, model, phases, budgetUsd, testCommands, base, notes, trustRepoSettings, repo } = resolved;
  return {
    id: input.commandId,
    sessionId: input.sessionId,
    targetDeviceId: deviceId,
    senderDeviceId: deviceId,
    payload: {
      kind: "start",
      options: {
        sessionId: input.sessionId,
        prompt: input.prompt,
        title: input.title ?? firstLine(input.prompt),
        agent,
        preferences: { testCommands },
        trustRepoSettings,
        repoKey: repo.repoKey,
        taskId: randomUUID(),
        ...(model === null ? {} : { model }),
        ...(phases === null ? {} : { phases }),
        ...(budgetUsd === null ? {} : { budgetUsd }),
        ...(base === null ? {} : { base }),
        ...(notes === null ? {} : { notes }),
      },
    },
    expects: { status: [] },
    incarnation: null,
    at: clock(),
  };
}

function storeStart(s: Supervision, tx: Tx, { input, resolved, command }: NewStart): void {
  const { deviceId, clock } = s.deps;
  const at = clock();
  const { options } = command.payload;
  const title = options.title ?? firstLine(input.prompt);
  const { repoKey } = resolved.repo;
  touchRepo(tx, resolved.repo, at);
  touchClone(tx, resolved.clone, at);
  insertTask(tx, {
    id: options.taskId,
    repoKey,
    title,
    prompt: input.prompt,
    createdBy: deviceId,
    activeSessionId: input.sessionId,
    createdAt: at,
  });
  insertSession(tx, {
    id: input.sessionId,
    taskId: options.taskId,
    repoKey,
    repoPath: resolved.clone.path,
    deviceId,
    title,
    prompt: input.prompt,
    agent: resolved.agent,
    model: resolved.model,
    phases: toJson(resolved.phases),
    testCommands: toJson(resolved.testCommands),
    budgetUsd: resolved.budgetUsd,
    baseRef: resolved.base,
    createdAt: at,
  });
  endCommand(tx, command.id, { state: "done", result: { sessionId: input.sessionId, taskId: options.taskId } });
}
