import type { StartInput } from "@codehands/api";
import type { Command, StartPayload } from "@codehands/contracts";
import { endCommand } from "../commands/command-rows.ts";
import { toJson } from "../database/read-json.ts";
import type { Tx } from "../database/transaction.ts";
import { touchClone } from "../repos/clone-rows.ts";
import { touchRepo } from "../repos/repo-rows.ts";
import { insertSession } from "../sessions/session-rows.ts";
import { insertTask, readTask } from "../tasks/task-rows.ts";
import { firstLine } from "./default-message.ts";
import type { Supervision } from "./supervision.ts";
import type { ResolvedStart } from "./supervisor-deps.ts";

export interface NewStart {
  input: Pick<StartInput, "sessionId" | "prompt">;
  resolved: ResolvedStart;
  command: Command & { payload: StartPayload };
}

/** A start with everything in it that its sender left open. */
export function resolvedPayload(input: StartInput, resolved: ResolvedStart, taskId: string): StartPayload {
  const { agent, model, phases, budgetUsd, testCommands, base, notes, trustRepoSettings, repo } = resolved;
  return {
    kind: "start",
    options: {
      sessionId: input.sessionId,
      prompt: input.prompt,
      title: input.title ?? firstLine(input.prompt),
      agent,
      preferences: { testCommands },
      trustRepoSettings,
      repoKey: repo.repoKey,
      taskId,
      ...(model === null ? {} : { model }),
      ...(phases === null ? {} : { phases }),
      ...(budgetUsd === null ? {} : { budgetUsd }),
      ...(base === null ? {} : { base }),
      ...(notes === null ? {} : { notes }),
    },
  };
}

/** Stores the session (queued), its task and the answer, in the transaction of the command or of its resolution. */
export function storeStart(s: Supervision, tx: Tx, { input, resolved, command }: NewStart): void {
  const { deviceId, clock } = s.deps;
  const at = clock();
  const { options } = command.payload;
  const title = options.title ?? firstLine(input.prompt);
  const { repoKey } = resolved.repo;
  touchRepo(tx, resolved.repo, at);
  touchClone(tx, resolved.clone, at);
  // Another device may start a second session for a task that is known here.
  if (readTask(s.deps.store, options.taskId) === undefined) {
    insertTask(tx, {
      id: options.taskId,
      repoKey,
      title,
      prompt: input.prompt,
      createdBy: command.senderDeviceId,
      activeSessionId: input.sessionId,
      createdAt: at,
    });
  }
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
