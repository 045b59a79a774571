import type { ConfigKey } from "@codehands/api";
import type { AgentKind } from "@codehands/contracts";
import type { ConfigStore } from "./config-store.ts";
import { decideSetting } from "./decide-setting.ts";
import { readPreferences } from "./read-preferences.ts";
import type { SourcesDeps } from "./read-sources.ts";

/** The device's own settings as they are at each look, for the parts that run sessions. */
export interface LiveSettings {
  readonly concurrency: number;
  readonly trashDays: number;
  readonly worktreeRoot: string;
  readonly idleMinutes: number;
  readonly wallMinutes: number;
  /** The configured program of an agent; null for one that has none. */
  commandOf(agent: AgentKind): readonly string[] | null;
  /** Names of the further variables that an agent gets. */
  envOf(agent: AgentKind): readonly string[];
}

/** Reads through to the newest valid `config.json`. */
export function openLiveSettings(deps: SourcesDeps, config: ConfigStore): LiveSettings {
  const valueOf = (key: ConfigKey): unknown =>
    decideSetting(key, {
      agentCommands: deps.agentCommands,
      worktrees: deps.worktrees,
      file: config.current(),
      accountPreferences: readPreferences(deps.store, "account"),
      repoPreferences: {},
      repository: null,
      trusted: false,
    }).value;
  return {
    get concurrency() {
      return Number(valueOf("concurrency"));
    },
    get trashDays() {
      return Number(valueOf("trash.days"));
    },
    get worktreeRoot() {
      return String(valueOf("worktreeRoot"));
    },
    get idleMinutes() {
      return Number(valueOf("idleMinutes"));
    },
    get wallMinutes() {
      return Number(valueOf("wallMinutes"));
    },
    commandOf: (agent) => (agent === "air" ? null : (valueOf(`agents.${agent}.command`) as readonly string[] | null)),
    envOf: (agent) =>
      agent === "claude-code" || agent === "codex" ? (valueOf(`agents.${agent}.env`) as readonly string[]) : [],
  };
}
