import type { HeldLog } from "@codehands/sync";
import { explainCode, VAULT_CODES, type VaultCode } from "@codehands/vault";
import type { SignedSession } from "./read-session.ts";

/** What is held of a session's log, and the chain value held at the seq that its owner signed. */
export interface HeldHistory {
  log: HeldLog | null;
  /** Null when that seq is not held. */
  macAtSigned: string | null;
}

/** A record and its events do not always come in one page: this long nothing is said of a difference. */
const GRACE_MS = 30_000;

/**
 * V21: whether the log as the cloud tells it reaches what its owner signed, and agrees with it there; null when it
 * does, else what a person reads. `now` is ISO time.
 */
export function checkHistory(session: SignedSession, held: HeldHistory, now: string): string | null {
  const { view, tailMac } = session;
  const { log } = held;
  if (log?.blocked) return explain(log.blocked.code);
  if (view.lastSeq === 0) return null;
  const row = log?.row ?? null;
  const atRow = row !== null && !row.deleted && row.lastSeq === view.lastSeq ? row.tailMac : null;
  const own = held.macAtSigned ?? atRow;
  if (own !== null) return own === tailMac ? null : explainCode("FORK");
  const reaches = Math.max(row === null || row.deleted ? 0 : row.lastSeq, log?.lastSeq ?? 0);
  const missing = view.lastSeq - reaches;
  // The cloud's stamp alone could be renewed for ever, and what was just read may have come long ago.
  if (missing <= 0 || (isFresh(session.receivedAt, now) && isFresh(session.seenAt, now))) return null;
  return missing === 1
    ? "1 event of this session has not been delivered."
    : `${missing} events of this session have not been delivered.`;
}

const isFresh = (at: string | null, now: string): boolean =>
  at !== null && Math.abs(Date.parse(now) - Date.parse(at)) < GRACE_MS;

function explain(code: string): string {
  const known = VAULT_CODES.find((each): each is VaultCode => each === code);
  return known ? explainCode(known) : `The events of this session cannot be read (${code}).`;
}
