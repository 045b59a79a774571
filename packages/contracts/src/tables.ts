/**
 * Contract L1: the tables of `~/.codehands/state.db` and the one file below `apps/daemon/src`
 * that may insert into, update or delete from each. Only the daemon opens the database.
 * A table of a part that is not built yet is not listed.
 */
export const TABLE_WRITERS = {
  meta: "home/meta.ts",
  repos: "repos/repo-rows.ts",
  clones: "repos/clone-rows.ts",
  tasks: "tasks/task-rows.ts",
  sessions: "sessions/session-rows.ts",
  runs: "runs/run-rows.ts",
  events: "sessions/event-log.ts",
  event_raw: "sessions/event-log.ts",
  commands: "commands/command-rows.ts",
  provider_status: "agents/provider-rows.ts",
  preferences: "settings/preference-rows.ts",
  trash: "trash/trash-rows.ts",
  account: "sync/account-rows.ts",
  roster: "sync/account-rows.ts",
  sync_state: "sync/state-rows.ts",
  sync_records: "sync/record-rows.ts",
  sync_logs: "sync/log-rows.ts",
  replica_events: "sync/line-rows.ts",
  waiting_events: "sync/line-rows.ts",
  orphans: "sync/line-rows.ts",
  changes: "changes/change-rows.ts",
} as const;

export type TableName = keyof typeof TABLE_WRITERS;
