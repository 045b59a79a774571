import { AGENT_KINDS, END_REASONS, SESSION_STATUSES } from "@codehands/contracts";
import * as z from "zod";

export const sessionStatus = z.enum(SESSION_STATUSES);
export const agentKind = z.enum(AGENT_KINDS);
export const endReason = z.enum(END_REASONS);

/** A session as every screen and every `--json` sees it. Times are ISO UTC, money is US dollars. */
export const sessionView = z.object({
  id: z.string(),
  /** The first eight hex digits of the id. */
  shortId: z.string(),
  title: z.string(),
  prompt: z.string(),
  status: sessionStatus,
  agent: agentKind,
  model: z.string().nullable(),
  repo: z.object({ key: z.string(), path: z.string().nullable(), remote: z.string().nullable() }),
  device: z.object({ id: z.string(), name: z.string() }),
  branch: z.string().nullable(),
  baseRef: z.string().nullable(),
  baseCommit: z.string().nullable(),
  worktree: z.string().nullable(),
  commit: z.string().nullable(),
  treeId: z.string().nullable(),
  cost: z.object({ usd: z.number().nullable(), budgetUsd: z.number().nullable() }),
  usage: z.unknown(),
  numTurns: z.number().nullable(),
  diff: z.object({ files: z.number(), additions: z.number(), deletions: z.number() }).nullable(),
  tests: z.object({ command: z.string(), passed: z.boolean(), seq: z.number() }).nullable(),
  reason: endReason.nullable(),
  taskId: z.string(),
  continuesId: z.string().nullable(),
  supersededBy: z.string().nullable(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  lastSeq: z.number(),
  rev: z.number(),
  /** Another device's session as this one holds it: how far its events are here, and what does not fit. */
  remote: z
    .object({
      /** Events held here. */
      heldSeq: z.number(),
      /** When the owner's record came, ISO. */
      receivedAt: z.string().nullable(),
      /** For a person: events are being withheld, or the history does not fit. */
      warning: z.string().nullable(),
    })
    .optional(),
});
export type SessionView = z.infer<typeof sessionView>;

export const sessionPage = z.object({
  sessions: z.array(sessionView),
  /** Rows that could not be read; the others are listed all the same. */
  unreadable: z.number(),
  nextCursor: z.string().nullable(),
});
export type SessionPage = z.infer<typeof sessionPage>;

export const sessionQuery = z.object({
  status: z.array(sessionStatus).optional(),
  repoKey: z.string().optional(),
  deviceId: z.string().optional(),
  /** ISO time: sessions created at or after it. */
  since: z.string().optional(),
  /** Text in title or prompt. */
  search: z.string().max(500).optional(),
  cursor: z.string().optional(),
  limit: z.int().min(1).max(500).default(50),
});
export type SessionQuery = z.infer<typeof sessionQuery>;

/** Names a session: a UUID, a prefix of at least four characters, a branch, `@last` or `@waiting`. */
export const sessionRef = z.string().min(1).max(300);

export const sessionById = z.object({ sessionId: z.uuid() });
export const sessionByRef = z.object({ ref: sessionRef });

/** Which session a short name means. */
export const resolved = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), sessionId: z.string() }),
  z.object({ ok: z.literal(false), code: z.enum(["not_found", "ambiguous"]), candidates: z.array(z.string()) }),
]);
export type Resolved = z.infer<typeof resolved>;

export const runnerEvent = z.object({
  sessionId: z.string(),
  seq: z.number(),
  /** One of the known types, or one of a newer version: shown as unknown, never refused. */
  type: z.string(),
  at: z.string(),
  payload: z.looseObject({}),
  raw: z.unknown().optional(),
});
export type EventView = z.infer<typeof runnerEvent>;

export const eventQuery = z.object({
  sessionId: z.uuid(),
  afterSeq: z.int().min(0).default(0),
  limit: z.int().min(1).max(1_000).default(200),
  /** The newest `limit` events instead of the first after `afterSeq`. */
  newest: z.boolean().optional(),
  types: z.array(z.string()).optional(),
  /** Adds the agent's own lines, with secrets masked. */
  raw: z.boolean().optional(),
});
export type EventQuery = z.infer<typeof eventQuery>;

export const eventPage = z.object({ events: z.array(runnerEvent), lastSeq: z.number() });
export type EventPage = z.infer<typeof eventPage>;

export const diffView = z.object({
  patch: z.string(),
  stat: z.string(),
  treeId: z.string(),
  files: z.array(
    z.object({
      path: z.string(),
      oldPath: z.string().optional(),
      status: z.enum(["A", "M", "D", "R", "T"]),
      additions: z.number(),
      deletions: z.number(),
      binary: z.boolean(),
      generated: z.boolean(),
      bytes: z.number(),
    }),
  ),
  ignored: z.array(z.string()),
  nested: z.array(z.string()),
  secrets: z.array(z.object({ path: z.string(), line: z.number(), rule: z.string() })),
  configChanged: z.array(z.string()),
  truncated: z.literal(true).optional(),
  fromSnapshot: z.literal(true).optional(),
  special: z.array(z.string()).optional(),
  large: z.array(z.object({ path: z.string(), bytes: z.number() })).optional(),
  filtered: z.array(z.string()).optional(),
});
export type DiffView = z.infer<typeof diffView>;

export const watchQuery = z.object({
  sessionId: z.uuid(),
  afterSeq: z.int().min(0).default(0),
});
export type WatchQuery = z.infer<typeof watchQuery>;

export const watchInput = z.object({
  ...watchQuery.shape,
  /** Given by the connection when it was cut: the seq of the newest event that arrived. */
  lastEventId: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional(),
});
export type WatchInput = z.infer<typeof watchInput>;

/** What `sessions.watch` sends: each stored event once, and the session whenever it changed. */
export const watchFrame = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("event"), event: runnerEvent }),
  z.object({ kind: z.literal("session"), session: sessionView }),
]);
export type WatchFrame = z.infer<typeof watchFrame>;
