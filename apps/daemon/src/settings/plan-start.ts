import type { StartInput } from "@codehands/api";
import type { AgentKind, Phases } from "@codehands/contracts";
import { decideSetting, type SettingSources } from "./decide-setting.ts";

/** What a start takes from flags and settings, once its agent is known. */
export interface StartPlan {
  model: string | null;
  phases: Phases | null;
  /** US dollars. */
  budgetUsd: number;
  /** Null when nobody named any: they are looked for in the repository then. */
  testCommands: string[] | null;
}

/**
 * Decides a start's details: a flag before everything, then the settings in their order. A model counts only with the
 * agent it was named for; a flag for the model replaces models per phase.
 */
export function planStart(
  input: Pick<StartInput, "agent" | "model" | "budgetUsd">,
  agent: AgentKind,
  sources: SettingSources,
): StartPlan {
  const named = decideSetting("agent", sources).value;
  const isUsual = input.agent === undefined || input.agent === named || (named === null && agent === "claude-code");
  const own =
    agent === "claude-code" || agent === "codex" ? textOf(decideSetting(`agents.${agent}.model`, sources).value) : null;
  const usual = isUsual && agent !== "sample" ? textOf(decideSetting("model", sources).value) : null;
  const commands = decideSetting("testCommands", sources);
  return {
    model: input.model ?? own ?? usual,
    phases: input.model === undefined && isUsual && agent !== "sample" ? phasesOf(sources) : null,
    budgetUsd: input.budgetUsd ?? Number(decideSetting("budgetUsd", sources).value),
    testCommands: commands.origin === "default" ? null : (commands.value as string[]),
  };
}

function phasesOf({ repoPreferences, accountPreferences, repository }: SettingSources): Phases | null {
  return repoPreferences.phases ?? accountPreferences.phases ?? repository?.hints.phases ?? null;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
