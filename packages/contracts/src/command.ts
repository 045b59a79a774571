/** A command is a person's wish; its outcome is the owning device's answer. */

import type { StartOptions } from "./runner.ts";
import type { AgentKind, SessionStatus } from "./session.ts";

export const COMMAND_KINDS = [
  "start",
  "stop",
  "resume",
  "approve",
  "reject",
  "continue",
  "undo",
  "discard",
  "clean",
] as const;
export type CommandKind = (typeof COMMAND_KINDS)[number];

export interface LineComment {
  path: string;
  side: "old" | "new";
  from: number;
  to: number;
  text: string;
  treeId: string;
}

export interface StartPayload {
  kind: "start";
  options: Omit<StartOptions, "repoPath"> & { repoKey: string; taskId: string };
}
export interface StopPayload {
  kind: "stop";
  /** Skip the grace period. */
  now?: boolean;
}
export interface ResumePayload {
  kind: "resume";
  prompt?: string;
  /** New total budget of the session, US dollars. */
  budgetUsd?: number;
}
export interface ApprovePayload {
  kind: "approve";
  message?: string;
  /** The tree that the person reviewed. */
  treeId: string;
  absorbNested?: boolean;
  allowSecrets?: boolean;
  allowLarge?: boolean;
  allowShrunk?: boolean;
}
export interface RejectPayload {
  kind: "reject";
  reason?: string;
}
export interface UndoPayload {
  kind: "undo";
  newSessionId: string;
}
export interface DiscardPayload {
  kind: "discard";
}
export interface CleanPayload {
  kind: "clean";
  dryRun?: boolean;
  staleDays?: number;
  orphans?: boolean;
}
export interface ContinuePayload {
  kind: "continue";
  newSessionId: string;
  as: "follow_up" | "retry" | "handover";
  prompt?: string;
  comments?: LineComment[];
  agent?: AgentKind;
  model?: string;
}

export type CommandPayload =
  | StartPayload
  | StopPayload
  | ResumePayload
  | ApprovePayload
  | RejectPayload
  | UndoPayload
  | DiscardPayload
  | CleanPayload
  | ContinuePayload;

/** What the sender saw. The owner refuses when it is no longer so. */
export interface CommandExpects {
  status: SessionStatus[];
  treeId?: string;
  rev?: number;
  seq?: number;
  chain?: string;
}

export interface Command {
  /** UUIDv7 made by the sender: the same id twice returns the stored outcome. */
  id: string;
  /** Null for commands about the device itself (clean). */
  sessionId: string | null;
  targetDeviceId: string;
  senderDeviceId: string;
  payload: CommandPayload;
  expects: CommandExpects;
  /** The target's incarnation as the sender knows it; null at home. */
  incarnation: string | null;
  at: string;
}

export type OutcomeState = "claimed" | "done" | "refused" | "expired" | "in_doubt";

export const REFUSAL_CODES = [
  "illegal_move",
  "stale_tree",
  "superseded",
  "nothing_to_approve",
  "nested_repo",
  "large_file",
  "secret_in_change",
  "tree_shrunk",
  "branch_blocked",
  "branch_moved",
  "repo_missing",
  "not_found",
  "expired",
  "revoked",
  "already_running",
  "cannot_resume",
  "agent_may_not",
  "trash_gone",
  "filtered_path",
  "still_changing",
  "not_allowed",
  "stale_command",
  "stale_history",
  /** Not a no: its device went away, or met a fault, while it worked at it. It may or may not have run. */
  "in_doubt",
] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

export interface CommandOutcome {
  /** The command's id. */
  id: string;
  state: OutcomeState;
  /** The boot of the daemon that claimed it. */
  boot: string;
  code: RefusalCode | null;
  reason: string | null;
  result: Record<string, unknown> | null;
}
