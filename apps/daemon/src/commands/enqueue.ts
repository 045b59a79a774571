import { type Command, type CommandSubject, decideCommand } from "@codehands/contracts";
import type { OpenDatabase } from "../database/open-database.ts";
import { inTransaction, type Tx } from "../database/transaction.ts";
import { readSession, type SessionRow } from "../sessions/session-rows.ts";
import { type CommandRow, endCommand, insertCommand, readCommand } from "./command-rows.ts";

export interface Claim {
  /** The boot that takes the command. */
  boot: string;
  /** ISO time of now. */
  at: string;
}

export interface Intent {
  command: Command;
  claim: Claim;
  /** Stored with the command when it is legal: what it means to do. May end the command at once. */
  intend?: (tx: Tx, session: SessionRow | undefined) => void;
}

/**
 * Stores a command and decides it in one transaction: what is stored is claimed, done already or refused with the
 * status as it is now. The id of an earlier command returns that command's row and changes nothing.
 */
export function enqueue(store: OpenDatabase, intent: Intent): { fresh: boolean; row: CommandRow } {
  return inTransaction(store, (tx) => enqueueIn(tx, intent));
}

/** The same in a transaction of the caller's. */
export function enqueueIn(tx: Tx, { command, claim, intend }: Intent): { fresh: boolean; row: CommandRow } {
  const { payload, sessionId } = command;
  const { store } = tx;
  const known = readCommand(store, command.id);
  if (known !== undefined) return { fresh: false, row: known };
  insertCommand(tx, command, claim);
  const session = sessionId === null ? undefined : readSession(store, sessionId);
  if (payload.kind === "clean") {
    intend?.(tx, undefined);
  } else {
    const decision = decideCommand(session === undefined ? null : subjectOf(session), payload, command.expects);
    if (!decision.ok) {
      const { code, reason, next } = decision;
      endCommand(tx, command.id, { state: "refused", code, reason, result: { next } });
    } else if (decision.again) {
      endCommand(tx, command.id, { state: "done", result: storedResult(session) });
    } else {
      intend?.(tx, session);
    }
  }
  return { fresh: true, row: readCommand(store, command.id) as CommandRow };
}

function subjectOf(session: SessionRow): CommandSubject {
  const { id, status, treeId, approvedTreeId, supersededBy, rev, reason } = session;
  return { id, status, treeId, approvedTreeId, supersededBy, rev, reason };
}

/** What an approval brought, from the row it was stored in. */
function storedResult(session: SessionRow | undefined): Record<string, unknown> | null {
  if (session?.status !== "approved") return null;
  return { branch: session.branch, commit: session.commit, treeId: session.approvedTreeId };
}
