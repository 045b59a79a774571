/** The closed table of exit codes, and how answers and endings map onto it. */
import type { EndReason, RefusalCode, SessionStatus } from "@codehands/contracts";

export const EXIT_CODES = {
  0: "done (an empty list is success)",
  1: "failed, unclassified",
  2: "wrong use, bad configuration, or an ambiguous session name",
  3: "not found",
  4: "sign-in needed",
  5: "conflict: an illegal move, or a stale tree or version",
  6: "the agent's run failed",
  7: "the daemon or the cloud is not reachable",
  8: "not finished yet, also: sent to a device that has not answered; or stopped by a person",
  9: "a limit was reached: budget, rate limit, usage limit, time",
  10: "a person said no: rejected, discarded, or the answer to a question",
  130: "interrupted",
} as const;
export type ExitCode = keyof typeof EXIT_CODES;

/** What a refused command exits with. */
export const REFUSAL_EXIT: Readonly<Record<RefusalCode, ExitCode>> = {
  illegal_move: 5,
  stale_tree: 5,
  superseded: 5,
  nothing_to_approve: 5,
  nested_repo: 5,
  large_file: 5,
  secret_in_change: 5,
  tree_shrunk: 5,
  branch_blocked: 5,
  branch_moved: 5,
  repo_missing: 3,
  not_found: 3,
  expired: 5,
  revoked: 4,
  already_running: 5,
  cannot_resume: 5,
  agent_may_not: 5,
  trash_gone: 3,
  filtered_path: 5,
  still_changing: 5,
  not_allowed: 4,
  stale_command: 5,
  stale_history: 5,
  in_doubt: 5,
};

/** What waiting for a session that ended for this reason exits with. */
export const REASON_EXIT: Readonly<Record<EndReason, ExitCode>> = {
  cancelled: 8,
  discarded: 10,
  superseded: 5,
  person: 8,
  budget: 9,
  rate_limited: 9,
  usage_limit: 9,
  auth_expired: 4,
  subscription_inactive: 4,
  down: 9,
  stalled: 6,
  no_first_line: 6,
  no_result: 6,
  agent_error: 6,
  wall_clock: 9,
  output_limit: 9,
  disk_full: 6,
  worktree_missing: 6,
  repo_missing: 6,
  not_a_repo: 6,
  spawn_failed: 6,
  exit_unknown: 6,
  unsupported_agent: 6,
  unsupported_repo: 6,
  daemon_restart: 6,
  branch_blocked: 6,
};

/** What decides the exit code of `wait` and `run`. */
export interface EndedSession {
  status: SessionStatus;
  reason: EndReason | null;
  supersededBy: string | null;
}

/** The exit code of `wait`, `run` and `resume` for a session as they last saw it. */
export function exitOfSession(session: EndedSession): ExitCode {
  const { status, reason } = session;
  if (status === "queued" || status === "running") return 8;
  if (status === "approved") return 0;
  if (reason === "superseded" || session.supersededBy !== null) return 5;
  if (status === "awaiting_approval") return 0;
  if (status === "rejected") return 10;
  if (reason !== null) return REASON_EXIT[reason];
  return status === "stopped" ? 8 : 6;
}
