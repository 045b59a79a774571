import * as z from "zod";

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
  "cloud.url",
  "commands.from",
  "sync.compress",
] as const;
export type ConfigKey = (typeof CONFIG_KEYS)[number];

export const configEntry = z.object({
  key: z.string(),
  value: z.unknown(),
  origin: z.enum(["flag", "environment", "file", "account", "repository", "default"]),
});
export type ConfigEntry = z.infer<typeof configEntry>;
export const configList = z.array(configEntry);

const key = z.string().min(1).max(200);
/** The repository whose own settings count as well; null for none. */
const repoPath = z.string().min(1).max(4_096).nullable().default(null);
export const settingsInRepo = z.object({ repoPath });
export const settingByKey = z.object({ key, repoPath });
export const setInput = z.object({ key, value: z.unknown() });
export const unsetInput = z.object({ key });

const refused = z.object({ ok: z.literal(false), reason: z.string() });
export const setSettingAnswer = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), entry: configEntry }),
  refused,
]);
export const unsetSettingAnswer = z.discriminatedUnion("ok", [z.object({ ok: z.literal(true) }), refused]);
