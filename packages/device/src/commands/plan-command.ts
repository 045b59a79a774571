import type { SessionView } from "@codehands/api";
import {
  type Command,
  type CommandExpects,
  type CommandPayload,
  type CommandSubject,
  decideCommand,
  SESSION_TRANSITIONS,
  type SessionStatus,
} from "@codehands/contracts";
import type { HeldLog } from "@codehands/sync";
import type { KnownDevice } from "../replica/read-device.ts";
import type { SignedSession } from "../replica/read-session.ts";
import { type Refusal, refusal } from "./refusal.ts";

/** A command as a person wishes it. */
export interface Wish {
  id: string;
  /** Of a start: the new session's. */
  sessionId: string;
  payload: Exclude<CommandPayload, { kind: "clean" | "continue" | "undo" }>;
  /** The statuses that the person saw; empty when they did not look. */
  expects: readonly SessionStatus[];
}

/** What is known here at the moment of the wish. */
export interface Scene {
  me: string;
  target: KnownDevice;
  /** Null for a start. */
  session: SignedSession | null;
  log: HeldLog | null;
  /** ISO time. */
  at: string;
}

export type PlannedCommand = { ok: true; command: Command } | Refusal;

/** Decisions are about what was looked at: they hold for that status alone. */
const DECISIONS: ReadonlySet<string> = new Set(["approve", "reject", "discard"]);

/**
 * The command that carries a wish to its owner, with what was seen here (V26); a refusal where no owner can obey: it
 * never introduced itself, or the session has ended for good.
 */
export function planCommand(wish: Wish, { me, target, session, log, at }: Scene): PlannedCommand {
  if (target.incarnation === null) {
    const reason = `${target.name} has not introduced itself to this device yet. Nothing was sent: try again when it has synced.`;
    return refusal("not_found", reason, { next: "devices", session: null });
  }
  const expects = expectsOf(wish, session, log);
  const refused = session && refuseEnded(wish, session.view, expects);
  if (refused) return refused;
  return {
    ok: true,
    command: {
      id: wish.id,
      sessionId: wish.sessionId,
      targetDeviceId: target.id,
      senderDeviceId: me,
      payload: wish.payload,
      expects,
      incarnation: target.incarnation,
      at,
    },
  };
}

/** What the owner compares with its own: the status, the tree, and the history as far as it was read here. */
function expectsOf(wish: Wish, session: SignedSession | null, log: HeldLog | null): CommandExpects {
  const { payload, expects } = wish;
  if (session === null) return { status: [] };
  const status = expects.length === 0 && DECISIONS.has(payload.kind) ? [session.view.status] : [...expects];
  const read =
    log !== null && log.lastSeq > 0
      ? { seq: log.lastSeq, chain: log.tailMac }
      : { seq: session.view.lastSeq, chain: session.tailMac };
  return {
    status,
    ...(payload.kind === "approve" ? { treeId: payload.treeId } : {}),
    ...(read.seq > 0 && read.chain !== "" ? read : {}),
  };
}

/** A final status never changes again, so the owner would refuse it as well: the answer need not wait for it. */
function refuseEnded(wish: Wish, view: SessionView, expects: CommandExpects): Refusal | null {
  if (SESSION_TRANSITIONS[view.status].length > 0) return null;
  const { id, status, treeId, supersededBy, rev, reason } = view;
  const subject: CommandSubject = { id, status, treeId, approvedTreeId: treeId, supersededBy, rev, reason };
  const decision = decideCommand(subject, wish.payload, expects);
  return decision.ok ? null : refusal(decision.code, decision.reason, { next: decision.next, session: view });
}
