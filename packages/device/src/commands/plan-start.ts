import type { StartInput } from "@codehands/api";
import type { AgentKind, StartPayload } from "@codehands/contracts";
import type { KnownDevice } from "../replica/read-device.ts";
import type { Wish } from "./plan-command.ts";
import { type Refusal, refusal } from "./refusal.ts";

export interface StartScene {
  target: KnownDevice;
  /** The repository as every device names it; null when it has no key here. */
  repoKey: string | null;
  taskId: string;
}

/** The wish for a session on another device: there the repository is found by its key. */
export function planStart(
  input: StartInput,
  { target, repoKey, taskId }: StartScene,
): { ok: true; wish: Wish & { payload: StartPayload } } | Refusal {
  if (repoKey === null) {
    const reason = `${input.repoPath} is no repository that your devices know. Nothing was sent: run a session in it on the device where it lies.`;
    return refusal("repo_missing", reason, { next: "repos" });
  }
  const agent: AgentKind | undefined = input.agent ?? target.agents[0];
  if (agent === undefined) {
    const reason = `${target.name} has told of no agent that it can run. Nothing was sent: name one with --agent.`;
    return refusal("not_found", reason, { next: "devices" });
  }
  const { prompt, model, budgetUsd, base, title } = input;
  // Ids stand in sealed headers in one spelling.
  const sessionId = input.sessionId.toLowerCase();
  const options: StartPayload["options"] = {
    sessionId,
    prompt,
    agent,
    repoKey,
    taskId,
    ...(model === undefined ? {} : { model }),
    ...(budgetUsd === undefined ? {} : { budgetUsd }),
    ...(base === undefined ? {} : { base }),
    ...(title === undefined ? {} : { title }),
  };
  return {
    ok: true,
    wish: { id: input.commandId.toLowerCase(), sessionId, payload: { kind: "start", options }, expects: [] },
  };
}
