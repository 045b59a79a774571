import { type EndReason, type SessionStatus, statusWords } from "@codehands/contracts";
import { type IconName, iconsFor } from "../terminal/icons.ts";
import { type Ink, paintFor } from "../terminal/paint.ts";
import type { TerminalFacts } from "../terminal/terminal-facts.ts";

const LOOKS: Readonly<Record<SessionStatus, { icon: IconName; ink: Ink }>> = {
  queued: { icon: "queued", ink: "dim" },
  running: { icon: "running", ink: "cyan" },
  stopped: { icon: "stopped", ink: "yellow" },
  awaiting_approval: { icon: "waiting", ink: "magenta" },
  approved: { icon: "ok", ink: "green" },
  rejected: { icon: "fail", ink: "dim" },
  failed: { icon: "fail", ink: "red" },
};

/** The icon of a status, coloured. A word must stand beside it. */
export function statusIcon(status: SessionStatus, facts: TerminalFacts): string {
  const { icon, ink } = LOOKS[status];
  return paintFor(facts)(ink, iconsFor(facts)[icon]);
}

/** The word of a status as lists show it. */
export function statusWord(status: SessionStatus): string {
  return status === "awaiting_approval" ? "waiting" : statusWords(status);
}

/** Why a run or session ended, in words that follow "stopped: " or "failed: ". */
export const REASON_WORDS: Readonly<Record<EndReason, string>> = {
  cancelled: "cancelled before it began",
  discarded: "discarded",
  superseded: "another session took its place",
  person: "stopped by a person",
  budget: "the budget is used up",
  rate_limited: "the provider limits the rate",
  usage_limit: "the provider's usage limit is reached",
  auth_expired: "the agent's sign-in has expired",
  subscription_inactive: "the agent's subscription is not active",
  down: "the provider does not answer",
  stalled: "the agent wrote nothing for too long",
  no_first_line: "the agent never began to answer",
  no_result: "the agent ended without a result",
  agent_error: "the agent reported an error",
  wall_clock: "the time limit is reached",
  output_limit: "the agent wrote more than the limit",
  disk_full: "the disk is full",
  worktree_missing: "its worktree is gone",
  repo_missing: "its repository is gone",
  not_a_repo: "the folder is not in a git repository",
  spawn_failed: "the agent's program could not be started",
  exit_unknown: "how the agent ended is unknown",
  unsupported_agent: "this agent is not supported",
  unsupported_repo: "this kind of repository is not supported",
  daemon_restart: "the daemon was restarted",
  branch_blocked: "the branch's name is taken",
};
