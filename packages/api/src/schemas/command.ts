import { AGENT_KINDS, REFUSAL_CODES } from "@codehands/contracts";
import * as z from "zod";
import { sessionStatus, sessionView } from "./session.ts";

const money = z.number().positive().max(100_000);

/** A UUIDv7 made by the sender; sending it again returns the stored answer. */
export const commandId = z.uuid();

export const startInput = z.object({
  commandId,
  /** A UUIDv4 made by the sender: the new session's id. */
  sessionId: z.uuidv4(),
  repoPath: z.string().min(1).max(4_096),
  prompt: z.string().trim().min(1).max(1_000_000),
  agent: z.enum(AGENT_KINDS).optional(),
  model: z.string().min(1).max(200).optional(),
  budgetUsd: money.optional(),
  base: z.string().min(1).max(500).optional(),
  title: z.string().min(1).max(200).optional(),
  /** The device that is to run it; this one when absent. The repository is found there by its key. */
  deviceId: z.uuid().optional(),
});
export type StartInput = z.infer<typeof startInput>;

const aboutSession = { commandId, sessionId: z.uuid(), expects: z.array(sessionStatus).default([]) };

export const stopInput = z.object({ ...aboutSession, now: z.boolean().optional() });
export const resumeInput = z.object({
  ...aboutSession,
  prompt: z.string().min(1).max(1_000_000).optional(),
  budgetUsd: money.optional(),
});
export const approveInput = z.object({
  ...aboutSession,
  /** The tree that was reviewed. */
  treeId: z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/),
  message: z.string().min(1).max(100_000).optional(),
  absorbNested: z.boolean().optional(),
  allowSecrets: z.boolean().optional(),
  allowLarge: z.boolean().optional(),
  allowShrunk: z.boolean().optional(),
});
export const rejectInput = z.object({ ...aboutSession, reason: z.string().max(10_000).optional() });
export const discardInput = z.object(aboutSession);
export const cleanInput = z.object({
  commandId,
  dryRun: z.boolean().optional(),
  staleDays: z.number().positive().max(10_000).optional(),
  orphans: z.boolean().optional(),
});

export type StopInput = z.infer<typeof stopInput>;
export type ResumeInput = z.infer<typeof resumeInput>;
export type ApproveInput = z.infer<typeof approveInput>;
export type RejectInput = z.infer<typeof rejectInput>;
export type DiscardInput = z.infer<typeof discardInput>;
export type CleanInput = z.infer<typeof cleanInput>;

/** A command that its owner has not answered yet: the cloud keeps it, and it holds for 24 hours. */
export const pendingCommand = z.object({
  commandId: z.string(),
  /** `queued`: stored here or in the cloud. `delivered`: the owner took it on and works at it. */
  state: z.enum(["queued", "delivered"]),
  device: z.object({ id: z.string(), name: z.string() }),
  /** When the owner was last heard of, ISO; null when never. */
  lastHeardAt: z.string().nullable(),
});
export type PendingCommand = z.infer<typeof pendingCommand>;

/** The owner's answer to a command. A refusal is an answer, never an exception. */
export const commandAnswer = z.discriminatedUnion("ok", [
  z.object({
    ok: z.literal(true),
    session: sessionView.nullable(),
    /** What the command brought: for approve `{branch, commit, treeId}`, for clean `{removed, bytes, kept}`. */
    result: z.looseObject({}).nullable(),
    /** Set while another device has not answered: nothing has happened yet. */
    pending: pendingCommand.optional(),
  }),
  z.object({
    ok: z.literal(false),
    code: z.enum(REFUSAL_CODES),
    reason: z.string(),
    /** The command that helps, without arguments; null when there is none. */
    next: z.string().nullable(),
    session: sessionView.nullable(),
  }),
]);
export type CommandAnswer = z.infer<typeof commandAnswer>;

/** A command that was sent to another device, and what became of it. */
export const sentCommand = z.object({
  commandId: z.string(),
  sessionId: z.string().nullable(),
  kind: z.string(),
  /** `withdrawn`: taken back before its owner began. `in_doubt`: it may or may not have run. */
  state: z.enum(["queued", "delivered", "done", "refused", "expired", "in_doubt", "withdrawn"]),
  device: z.object({ id: z.string(), name: z.string() }),
  lastHeardAt: z.string().nullable(),
  code: z.string().nullable(),
  reason: z.string().nullable(),
  result: z.looseObject({}).nullable(),
});
export type SentCommand = z.infer<typeof sentCommand>;

export const commandById = z.object({ commandId });
/** What became of a command, also of one that was sent to another device; null for an unknown one. */
export const commandState = sentCommand.nullable();
export type CommandState = z.infer<typeof commandState>;
