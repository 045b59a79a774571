import { existsSync } from "node:fs";
import type { StartInput } from "@codehands/api";
import type { Command, StartPayload } from "@codehands/contracts";
import { type CommandRow, resolvePayload } from "../commands/command-rows.ts";
import { findCheckout } from "../repos/find-checkout.ts";
import { readSession } from "../sessions/session-rows.ts";
import { resolvedPayload, storeStart } from "./store-start.ts";
import { finish, type Supervision } from "./supervision.ts";

/**
 * Carries out a start that another device asked for: the repository is found here by its key, and whatever costs, runs
 * or is trusted comes from the settings of this device. Session, task and answer are stored in one transaction.
 */
export async function startForOther(s: Supervision, row: CommandRow, payload: StartPayload): Promise<void> {
  const { options } = payload;
  const refuse = (code: "repo_missing" | "already_running", reason: string, next: string | null): void =>
    finish(s, row, { ending: { state: "refused", code, reason, result: { next } } });
  if (readSession(s.deps.store, options.sessionId) !== undefined) {
    const reason = `Session ${options.sessionId.slice(0, 4)} exists already. Nothing was started.`;
    return refuse("already_running", reason, "show");
  }
  const repoPath = findCheckout(s.deps.store, options.repoKey, existsSync);
  if (repoPath === null) {
    const reason = `${s.deps.deviceName} has no checkout of this repository that Code Hands has worked in. Nothing was started: run a session in it there once, or start this one on another device.`;
    return refuse("repo_missing", reason, null);
  }
  const input = inputOf(row, payload, repoPath);
  const resolved = await s.deps.resolveStart(input);
  await s.deps.crashPoint("remote.start-resolved");
  if (!resolved.ok) {
    const { code, reason, next } = resolved;
    return finish(s, row, { ending: { state: "refused", code, reason, result: { next } } });
  }
  const command: Command & { payload: StartPayload } = {
    id: row.id,
    sessionId: options.sessionId,
    targetDeviceId: row.targetDevice,
    senderDeviceId: row.senderDevice,
    payload: resolvedPayload(input, resolved, options.taskId),
    expects: { status: [] },
    incarnation: row.incarnation,
    at: row.at,
  };
  finish(s, row, {
    // `storeStart` has stored the answer by then.
    ending: { state: "done" },
    change(tx) {
      resolvePayload(tx, row.id, command.payload);
      storeStart(s, tx, { input, resolved, command });
    },
  });
  s.pump();
}

/** What a person of this device would have asked for. What its sender says of trust and notes does not count here. */
function inputOf(row: CommandRow, { options }: StartPayload, repoPath: string): StartInput {
  const { sessionId, prompt, agent, model, budgetUsd, base, title } = options;
  return {
    commandId: row.id,
    sessionId,
    repoPath,
    prompt,
    agent,
    ...(model === undefined ? {} : { model }),
    ...(budgetUsd === undefined ? {} : { budgetUsd }),
    ...(base === undefined ? {} : { base }),
    ...(title === undefined ? {} : { title }),
  };
}
