/** Which command is legal when: one total table, and the check that every sender and owner uses. */
import type { CommandExpects, CommandKind, RefusalCode } from "./command.ts";
import { SESSION_STATUSES, type SessionStatus } from "./session.ts";

/** What a session must look like to be judged. */
export interface CommandSubject {
  id: string;
  status: SessionStatus;
  treeId: string | null;
  approvedTreeId: string | null;
  supersededBy: string | null;
  rev: number;
  reason: string | null;
}

type Act =
  /** The owner carries it out. */
  | { act: "do" }
  /** It has been done already: the same answer again. */
  | { act: "again" }
  | { act: "refuse"; code: RefusalCode; why: string; next: string };

const DO: Act = { act: "do" };
const AGAIN: Act = { act: "again" };
const refuse = (code: RefusalCode, why: string, next: string): Act => ({ act: "refuse", code, why, next });

const STARTED = refuse("already_running", "a session with this id exists already", "show");
const NOT_RUNNING = refuse("illegal_move", "so there is nothing to stop", "show");
const FINAL = "which is final";

/** Commands about one session. `clean` is about a device. */
export type SessionCommandKind = Exclude<CommandKind, "clean">;

/**
 * The table. `why` goes on after "Session 3f0f is running, "; `next` names the command that
 * helps (`show` when there is none better).
 */
export const COMMAND_TABLE: Readonly<Record<SessionStatus, Readonly<Record<SessionCommandKind, Act>>>> = {
  queued: {
    start: STARTED,
    stop: DO,
    resume: refuse("illegal_move", "so it starts by itself when its turn comes", "wait"),
    approve: refuse("illegal_move", "so there is nothing to approve yet", "wait"),
    reject: refuse("illegal_move", "so there is nothing to reject yet", "stop"),
    continue: refuse("illegal_move", "so there is nothing to continue yet", "wait"),
    undo: refuse("illegal_move", "so there is nothing to undo", "show"),
    discard: DO,
  },
  running: {
    start: STARTED,
    stop: DO,
    resume: refuse("already_running", "so it cannot be resumed", "logs"),
    approve: refuse("illegal_move", "so there is nothing to approve yet", "wait"),
    reject: refuse("illegal_move", "so stop it first", "stop"),
    continue: refuse("illegal_move", "so stop it first", "stop"),
    undo: refuse("illegal_move", "so there is nothing to undo", "show"),
    discard: refuse("illegal_move", "so stop it first", "stop"),
  },
  stopped: {
    start: STARTED,
    stop: NOT_RUNNING,
    resume: DO,
    approve: refuse("illegal_move", "so its agent has not finished: resume it first", "resume"),
    reject: refuse("illegal_move", "so its agent has not finished: discard throws its work away", "discard"),
    continue: DO,
    undo: refuse("illegal_move", "so there is nothing to undo", "resume"),
    discard: DO,
  },
  awaiting_approval: {
    start: STARTED,
    stop: NOT_RUNNING,
    resume: refuse("illegal_move", "so its agent has finished: review its change", "diff"),
    approve: DO,
    reject: DO,
    continue: DO,
    undo: refuse("illegal_move", "so there is nothing to undo", "diff"),
    discard: DO,
  },
  approved: {
    start: STARTED,
    stop: NOT_RUNNING,
    resume: refuse("illegal_move", FINAL, "show"),
    approve: AGAIN,
    reject: refuse("illegal_move", "which is final: delete its branch if you do not want it", "show"),
    continue: DO,
    undo: refuse("illegal_move", "which is final: delete its branch if you do not want it", "show"),
    discard: DO,
  },
  rejected: {
    start: STARTED,
    stop: NOT_RUNNING,
    resume: refuse("illegal_move", FINAL, "show"),
    approve: refuse("illegal_move", FINAL, "show"),
    reject: AGAIN,
    continue: refuse("illegal_move", FINAL, "show"),
    undo: DO,
    discard: AGAIN,
  },
  failed: {
    start: STARTED,
    stop: NOT_RUNNING,
    resume: refuse("illegal_move", FINAL, "show"),
    approve: refuse("illegal_move", "so approve is refused: its worktree and log are kept", "diff"),
    reject: refuse("illegal_move", "so reject is refused: its worktree and log are kept", "diff"),
    continue: DO,
    undo: DO,
    discard: DO,
  },
};

export type CommandDecision =
  | { ok: true; again: boolean }
  | { ok: false; code: RefusalCode; reason: string; next: string };

const WORDS: Readonly<Record<SessionStatus, string>> = {
  queued: "queued",
  running: "running",
  stopped: "stopped",
  awaiting_approval: "awaiting approval",
  approved: "approved",
  rejected: "rejected",
  failed: "failed",
};

/** How a person reads a status. */
export function statusWords(status: SessionStatus): string {
  return WORDS[status];
}

/**
 * Decides whether the owner may carry out a command on a session, by the table and by what the
 * sender expected to find. Null means that no such session exists; only `start` is legal then.
 */
export function decideCommand(
  subject: CommandSubject | null,
  payload: { kind: SessionCommandKind; treeId?: string },
  expects: CommandExpects = { status: [] },
): CommandDecision {
  if (subject === null) {
    return payload.kind === "start"
      ? { ok: true, again: false }
      : { ok: false, code: "not_found", reason: "There is no such session.", next: "ls" };
  }
  const name = subject.id.slice(0, 4);
  const act = COMMAND_TABLE[subject.status][payload.kind];
  if (act.act === "refuse") {
    const reason = `Session ${name} is ${statusWords(subject.status)}, ${act.why}.`;
    return { ok: false, code: act.code, reason, next: act.next };
  }
  if (act.act === "again") {
    if (payload.kind !== "approve" || payload.treeId === undefined || payload.treeId === subject.approvedTreeId) {
      return { ok: true, again: true };
    }
    const reason = `Session ${name} is approved with another tree, ${FINAL}.`;
    return { ok: false, code: "illegal_move", reason, next: "show" };
  }
  if (payload.kind === "undo" && subject.status === "failed" && !isUndoable(subject.reason)) {
    const reason = `Session ${name} is failed, so there is nothing to undo: its worktree is kept.`;
    return { ok: false, code: "illegal_move", reason, next: "diff" };
  }
  if (expects.status.length > 0 && !expects.status.includes(subject.status)) {
    const reason = `Session ${name} is ${statusWords(subject.status)} now, not ${expects.status.map(statusWords).join(" or ")} as you saw it.`;
    return { ok: false, code: "illegal_move", reason, next: "show" };
  }
  if (payload.kind === "approve") {
    if (subject.supersededBy !== null) {
      const reason = `Session ${name} is continued by session ${subject.supersededBy.slice(0, 4)}, so that one is up for approval.`;
      return { ok: false, code: "superseded", reason, next: "show" };
    }
    const seen = payload.treeId ?? expects.treeId;
    if (seen !== undefined && subject.treeId !== null && seen !== subject.treeId) {
      const reason = `Session ${name} holds another change now than the one you reviewed. Nothing was approved.`;
      return { ok: false, code: "stale_tree", reason, next: "diff" };
    }
  }
  return { ok: true, again: false };
}

function isUndoable(reason: string | null): boolean {
  return reason === "discarded" || reason === "superseded";
}

/** All statuses with `none` in front, for tests that walk the whole table. */
export const COMMAND_TABLE_ROWS = ["none", ...SESSION_STATUSES] as const;
