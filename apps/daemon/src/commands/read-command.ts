import { AGENT_KINDS, type Command, SESSION_STATUSES } from "@codehands/contracts";
import * as z from "zod";
import { readJson } from "../database/read-json.ts";

const money = z.number().positive().max(100_000);
const prompt = z.string().trim().min(1).max(1_000_000);
const tree = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/);

const payload = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("start"),
    options: z.object({
      sessionId: z.uuidv4(),
      repoKey: z.string().regex(/^[0-9a-f]{6,64}$/),
      taskId: z.uuid(),
      prompt,
      agent: z.enum(AGENT_KINDS),
      model: z.string().min(1).max(200).optional(),
      budgetUsd: money.optional(),
      base: z.string().min(1).max(500).optional(),
      title: z.string().min(1).max(200).optional(),
    }),
  }),
  z.object({ kind: z.literal("stop"), now: z.boolean().optional() }),
  z.object({ kind: z.literal("resume"), prompt: prompt.optional(), budgetUsd: money.optional() }),
  z.object({
    kind: z.literal("approve"),
    treeId: tree,
    message: z.string().min(1).max(100_000).optional(),
    absorbNested: z.boolean().optional(),
    allowSecrets: z.boolean().optional(),
    allowLarge: z.boolean().optional(),
    allowShrunk: z.boolean().optional(),
  }),
  z.object({ kind: z.literal("reject"), reason: z.string().max(10_000).optional() }),
  z.object({ kind: z.literal("discard") }),
  z.object({
    kind: z.literal("clean"),
    dryRun: z.boolean().optional(),
    staleDays: z.number().positive().max(10_000).optional(),
    orphans: z.boolean().optional(),
  }),
]);

const shape = z.object({
  id: z.uuid(),
  sessionId: z.uuid().nullable(),
  targetDeviceId: z.uuid(),
  senderDeviceId: z.uuid(),
  payload: z.unknown(),
  expects: z.object({
    status: z.array(z.enum(SESSION_STATUSES)),
    treeId: tree.optional(),
    rev: z.number().optional(),
    seq: z.int().min(0).optional(),
    chain: z.string().optional(),
  }),
  incarnation: z.string().nullable(),
  at: z.string().max(40),
});

export type ReadCommand = { ok: true; command: Command } | { ok: false; reason: string };

/** Reads the body of a command record. Nothing that another device wrote goes further unchecked. */
export function readCommandBody(body: string | null): ReadCommand {
  const json = readJson(body);
  const read = shape.safeParse(json.ok ? json.value : null);
  if (!read.success) return { ok: false, reason: "This version cannot read the command. Nothing was changed." };
  const wish = payload.safeParse(read.data.payload);
  if (!wish.success) {
    const reason = `This version cannot carry out the command${kindOf(read.data.payload)}. Nothing was changed.`;
    return { ok: false, reason };
  }
  const { kind } = wish.data;
  const sessionId = kind === "start" ? wish.data.options.sessionId : read.data.sessionId;
  if (sessionId !== read.data.sessionId || (kind === "clean") !== (sessionId === null))
    return { ok: false, reason: "The command does not say which session it is about. Nothing was changed." };
  return { ok: true, command: { ...read.data, payload: wish.data } };
}

function kindOf(told: unknown): string {
  const { kind } = (told ?? {}) as { kind?: unknown };
  return typeof kind === "string" && /^[a-z]{1,20}$/.test(kind) ? ` "${kind}"` : "";
}
