import type { ConfigEntry, ConfigKey } from "@codehands/api";
import type { AgentKind, Preferences } from "@codehands/contracts";
import type { ConfigFile } from "./config-schema.ts";
import { valueAt } from "./edit-config.ts";
import type { RepoSettings } from "./repo-settings.ts";

/** Everywhere a setting may come from, apart from the flags of one call. */
export interface SettingSources {
  /** Programs of agents named in the environment. */
  agentCommands: Partial<Record<AgentKind, readonly string[]>>;
  file: ConfigFile;
  /** The account's preferences for this repository, and for all. */
  repoPreferences: Preferences;
  accountPreferences: Preferences;
  /** What the repository's own file says; null without one. */
  repository: RepoSettings | null;
  /** Whether a person trusted the repository's files as they are. */
  trusted: boolean;
  /** Where worktrees lie when nobody says otherwise. */
  worktrees: string;
}

const DEFAULTS: Readonly<Record<ConfigKey, unknown>> = {
  agent: null,
  model: null,
  base: null,
  language: null,
  budgetUsd: 0.5,
  testCommands: [],
  concurrency: 4,
  idleMinutes: 10,
  wallMinutes: 240,
  "trash.days": 14,
  worktreeRoot: null,
  port: 7433,
  "agents.claude-code.command": ["claude"],
  "agents.claude-code.model": null,
  "agents.claude-code.env": [],
  "agents.codex.command": ["codex"],
  "agents.codex.model": null,
  "agents.codex.env": [],
  "agents.sample.command": null,
  "cloud.url": null,
  "commands.from": "all",
  "sync.compress": true,
};

const PREFERENCE_KEYS: readonly string[] = ["agent", "model", "base", "language", "budgetUsd", "testCommands"];

/** The value of a setting and where it comes from: environment, file, account (of the repo, then of all), repository, default. */
export function decideSetting(key: ConfigKey, sources: SettingSources): ConfigEntry {
  const command = /^agents\.([a-z-]+)\.command$/.exec(key)?.[1] as AgentKind | undefined;
  const given: [ConfigEntry["origin"], unknown][] = [
    ["environment", command === undefined ? undefined : sources.agentCommands[command]],
    ["file", valueAt(sources.file, key)],
    ["account", preference(sources.repoPreferences, key)],
    ["account", preference(sources.accountPreferences, key)],
    ["repository", fromRepository(key, sources)],
  ];
  const found = given.find(([, value]) => value !== undefined);
  if (found !== undefined) return { key, value: found[1], origin: found[0] };
  return { key, value: key === "worktreeRoot" ? sources.worktrees : DEFAULTS[key], origin: "default" };
}

function preference(preferences: Preferences, key: ConfigKey): unknown {
  return PREFERENCE_KEYS.includes(key) ? preferences[key as keyof Preferences] : undefined;
}

// A repository's file is written by whoever can commit: it may suggest, but never spend, run or move anything.
function fromRepository(key: ConfigKey, sources: SettingSources): unknown {
  const { repository, trusted } = sources;
  if (repository === null) return undefined;
  if (key === "testCommands") return trusted ? (repository.testCommands ?? undefined) : undefined;
  return key === "agent" || key === "model" || key === "base" || key === "language" ? repository.hints[key] : undefined;
}
