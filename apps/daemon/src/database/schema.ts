/**
 * The tables of `state.db` (contract L1) that drizzle-kit can express. `events` has no rowid, which it cannot:
 * that table is in `event-table.ts` and comes from a migration written by hand.
 * JSON columns are plain text here: they are parsed where they are read, so that one bad row hides no other.
 */
import { sql } from "drizzle-orm";
import { blob, check, index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** Counts the changes of a row, and what the next push has to do with it: '' nothing, 'edit' or 'salvage'. */
const synced = {
  rev: integer("rev").notNull().default(1),
  dirty: text("dirty").notNull().default("edit"),
};

export const meta = sqliteTable("meta", { key: text("key").primaryKey(), value: text("value").notNull() });

export const repos = sqliteTable("repos", {
  repoKey: text("repo_key").primaryKey(),
  name: text("name").notNull(),
  remote: text("remote"),
  matchKey: text("match_key").notNull(),
  defaultBranch: text("default_branch"),
  trustedHash: text("trusted_hash"),
  createdAt: text("created_at").notNull(),
  lastUsedAt: text("last_used_at").notNull(),
  ...synced,
});

export const clones = sqliteTable(
  "clones",
  {
    repoKey: text("repo_key")
      .notNull()
      .references(() => repos.repoKey),
    path: text("path").notNull(),
    commonDir: text("common_dir").notNull(),
    rootCommit: text("root_commit"),
    objectFormat: text("object_format").notNull(),
    seenAt: text("seen_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.repoKey, t.path] }),
    check("clones_object_format", sql`${t.objectFormat} in ('sha1', 'sha256')`),
  ],
);

export const tasks = sqliteTable(
  "tasks",
  {
    id: text("id").primaryKey(),
    repoKey: text("repo_key")
      .notNull()
      .references(() => repos.repoKey),
    title: text("title").notNull(),
    prompt: text("prompt").notNull(),
    createdBy: text("created_by").notNull(),
    activeSessionId: text("active_session_id"),
    createdAt: text("created_at").notNull(),
    closedAt: text("closed_at"),
    ...synced,
  },
  (t) => [index("tasks_dirty").on(t.dirty)],
);

export const sessions = sqliteTable(
  "sessions",
  {
    id: text("id").primaryKey(),
    taskId: text("task_id")
      .notNull()
      .references(() => tasks.id),
    repoKey: text("repo_key").notNull(),
    repoPath: text("repo_path").notNull(),
    deviceId: text("device_id").notNull(),
    title: text("title").notNull(),
    prompt: text("prompt").notNull(),
    agent: text("agent").notNull(),
    model: text("model"),
    phases: text("phases"),
    testCommands: text("test_commands"),
    status: text("status").notNull(),
    reason: text("reason"),
    continuesId: text("continues_id"),
    continuesAs: text("continues_as"),
    supersededBy: text("superseded_by"),
    branch: text("branch"),
    baseRef: text("base_ref"),
    baseCommit: text("base_commit"),
    worktree: text("worktree"),
    treeId: text("tree_id"),
    commit: text("commit"),
    approvedTreeId: text("approved_tree_id"),
    agentSessionId: text("agent_session_id"),
    costUsd: real("cost_usd"),
    budgetUsd: real("budget_usd"),
    usage: text("usage"),
    numTurns: integer("num_turns"),
    diff: text("diff"),
    tests: text("tests"),
    lastSeq: integer("last_seq").notNull().default(0),
    pushedSeq: integer("pushed_seq").notNull().default(0),
    createdAt: text("created_at").notNull(),
    startedAt: text("started_at"),
    finishedAt: text("finished_at"),
    commonDir: text("common_dir"),
    privateGitDir: text("private_git_dir"),
    snapshotRef: text("snapshot_ref"),
    /** Of the session's log, counted by the sync. */
    generation: integer("generation").notNull().default(0),
    /** The chain value of the newest event, once it is chained. */
    lastHash: blob("last_hash", { mode: "buffer" }),
    ...synced,
  },
  (t) => [
    index("sessions_status").on(t.status, t.createdAt),
    index("sessions_newest").on(t.createdAt, t.id),
    index("sessions_repo").on(t.repoKey),
    index("sessions_dirty").on(t.dirty),
    check(
      "sessions_status_known",
      sql`${t.status} in ('queued', 'running', 'stopped', 'awaiting_approval', 'approved', 'rejected', 'failed')`,
    ),
    check("sessions_last_seq", sql`${t.lastSeq} >= 0 and ${t.pushedSeq} between 0 and ${t.lastSeq}`),
  ],
);

export const runs = sqliteTable(
  "runs",
  {
    id: text("id").primaryKey(),
    sessionId: text("session_id")
      .notNull()
      .references(() => sessions.id),
    ordinal: integer("ordinal").notNull(),
    phase: text("phase").notNull(),
    kind: text("kind").notNull(),
    model: text("model"),
    prompt: text("prompt"),
    state: text("state").notNull(),
    pid: integer("pid"),
    pgid: integer("pgid"),
    startTicks: text("start_ticks"),
    bootId: text("boot_id"),
    byteOffset: integer("byte_offset").notNull().default(0),
    errOffset: integer("err_offset").notNull().default(0),
    exitCode: integer("exit_code"),
    signal: text("signal"),
    costUsd: real("cost_usd"),
    startedAt: text("started_at").notNull(),
    endedAt: text("ended_at"),
  },
  (t) => [
    uniqueIndex("runs_ordinal").on(t.sessionId, t.ordinal),
    index("runs_state").on(t.state),
    check("runs_phase", sql`${t.phase} in ('plan', 'execute', 'single')`),
    check("runs_state_known", sql`${t.state} in ('spawning', 'live', 'ended')`),
    check("runs_offsets", sql`${t.byteOffset} >= 0 and ${t.errOffset} >= 0`),
  ],
);

/** The agents' own lines with secrets masked: never synced, gone after 30 days. */
export const eventRaw = sqliteTable(
  "event_raw",
  {
    sessionId: text("session_id").notNull(),
    seq: integer("seq").notNull(),
    raw: text("raw").notNull(),
    bytes: integer("bytes").notNull(),
  },
  (t) => [primaryKey({ columns: [t.sessionId, t.seq] })],
);

export const commands = sqliteTable(
  "commands",
  {
    id: text("id").primaryKey(),
    sessionId: text("session_id"),
    targetDevice: text("target_device").notNull(),
    senderDevice: text("sender_device").notNull(),
    kind: text("kind").notNull(),
    payload: text("payload").notNull(),
    expects: text("expects").notNull(),
    incarnation: text("incarnation"),
    at: text("at").notNull(),
    receivedAt: text("received_at").notNull(),
    state: text("state").notNull(),
    boot: text("boot").notNull(),
    code: text("code"),
    reason: text("reason"),
    result: text("result"),
    ...synced,
  },
  (t) => [
    index("commands_state").on(t.state),
    index("commands_session").on(t.sessionId, t.kind),
    check("commands_state_known", sql`${t.state} in ('claimed', 'done', 'refused', 'expired', 'in_doubt')`),
  ],
);

export const providerStatus = sqliteTable(
  "provider_status",
  {
    deviceId: text("device_id").notNull(),
    agent: text("agent").notNull(),
    state: text("state").notNull(),
    retryAt: text("retry_at"),
    detail: text("detail").notNull(),
    at: text("at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.deviceId, t.agent] })],
);

export const preferences = sqliteTable(
  "preferences",
  {
    /** 'account', or the key of a repository. */
    scope: text("scope").notNull(),
    key: text("key").notNull(),
    body: text("body").notNull(),
    ...synced,
  },
  (t) => [primaryKey({ columns: [t.scope, t.key] })],
);

export const trash = sqliteTable(
  "trash",
  {
    sessionId: text("session_id").primaryKey(),
    ref: text("ref").notNull(),
    folder: text("folder").notNull(),
    /** Size of the folder; null until it was measured. */
    bytes: integer("bytes"),
    deletedAt: text("deleted_at").notNull(),
    expiresAt: text("expires_at").notNull(),
  },
  (t) => [index("trash_expires").on(t.expiresAt)],
);
