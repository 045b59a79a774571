import * as z from "zod";
import { agentKind } from "./session.ts";

export const repoView = z.object({
  key: z.string(),
  name: z.string(),
  remote: z.string().nullable(),
  path: z.string().nullable(),
  defaultBranch: z.string().nullable(),
  /** Whether the person trusts the settings the repository has now. */
  trusted: z.boolean(),
  sessions: z.number(),
  lastUsedAt: z.string(),
});
export type RepoView = z.infer<typeof repoView>;

/** What a repository's own settings file asks for, shown before a person trusts it. */
export const repoTrust = z.object({
  key: z.string(),
  hash: z.string().nullable(),
  trusted: z.boolean(),
  file: z.string().nullable(),
  settings: z.looseObject({}).nullable(),
});
export type RepoTrust = z.infer<typeof repoTrust>;

export const checkView = z.object({
  id: z.string(),
  title: z.string(),
  status: z.enum(["ok", "warn", "fail"]),
  detail: z.string(),
  /** What to run or do; null when nothing is wrong. */
  fix: z.string().nullable(),
});
export type CheckView = z.infer<typeof checkView>;

export const doctorReport = z.object({ ok: z.boolean(), checks: z.array(checkView) });
export type DoctorReport = z.infer<typeof doctorReport>;

export const healthView = z.object({
  ok: z.boolean(),
  pid: z.number(),
  version: z.string(),
  protocol: z.number(),
  bootId: z.string(),
  homeId: z.string(),
  startedAt: z.string(),
  running: z.number(),
  queued: z.number(),
  waiting: z.number(),
});
export type HealthView = z.infer<typeof healthView>;

export const agentView = z.object({
  agent: agentKind,
  path: z.string().nullable(),
  version: z.string().nullable(),
  signedIn: z.union([z.boolean(), z.literal("unknown")]),
  provider: z
    .object({ state: z.string(), retryAt: z.string().nullable(), detail: z.string(), at: z.string() })
    .nullable(),
});
export type AgentView = z.infer<typeof agentView>;

export const usageQuery = z.object({
  by: z.enum(["day", "agent", "repo", "device"]).default("day"),
  since: z.string().optional(),
});
export type UsageQuery = z.infer<typeof usageQuery>;

export const usageReport = z.object({
  by: z.enum(["day", "agent", "repo", "device"]),
  rows: z.array(
    z.object({
      key: z.string(),
      sessions: z.number(),
      runs: z.number(),
      costUsd: z.number(),
      inputTokens: z.number(),
      outputTokens: z.number(),
    }),
  ),
  total: z.object({ sessions: z.number(), runs: z.number(), costUsd: z.number() }),
});
export type UsageReport = z.infer<typeof usageReport>;

export const CONFIG_KEYS = [
  "agent",
  "model",
  "base",
  "language",
  "budgetUsd",
  "testCommands",
  "concurrency",
  "idleMinutes",
  "wallMinutes",
  "trash.days",
  "worktreeRoot",
  "port",
  "agents.claude-code.command",
  "agents.claude-code.model",
  "agents.claude-code.env",
  "agents.codex.command",
  "agents.codex.model",
  "agents.codex.env",
  "agents.sample.command",
] as const;
export type ConfigKey = (typeof CONFIG_KEYS)[number];

export const configEntry = z.object({
  key: z.string(),
  value: z.unknown(),
  origin: z.enum(["flag", "environment", "file", "account", "repository", "default"]),
});
export type ConfigEntry = z.infer<typeof configEntry>;
