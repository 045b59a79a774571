import * as z from "zod";
import { agentKind } from "./session.ts";

export const checkView = z.object({
  id: z.string(),
  title: z.string(),
  status: z.enum(["ok", "warn", "fail"]),
  detail: z.string(),
  /** What to run or do; null when nothing is wrong. */
  fix: z.string().nullable(),
});
export type CheckView = z.infer<typeof checkView>;

export const doctorInput = z.object({
  /** Repairs what can be repaired without a question. */
  fix: z.boolean().default(false),
  /** Also asks each agent whether it is signed in, which starts its program. */
  probe: z.boolean().default(false),
});

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
export const agentList = z.array(agentView);

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
