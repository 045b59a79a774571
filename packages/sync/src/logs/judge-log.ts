import { LOG_KINDS } from "@codehands/contracts";
import { isFetched, isMisnamed } from "../ports/held-log.ts";
import type { LogView } from "../ports/store.ts";

/** What is to be done with a log at head. */
export type LogJudgement =
  | { do: "nothing" }
  | { do: "push" }
  | { do: "delete" }
  | { do: "segments" }
  /** Waiting events get their numbers (S17). */
  | { do: "join" }
  /** Events after `at` move to a session of their own (S16); `drop` says that the log goes then. */
  | { do: "fork"; at: number; drop: boolean }
  | { do: "drop" }
  /** `pushedSeq` becomes the cloud's last seq (S14). */
  | { do: "advance" };

const NOTHING: LogJudgement = { do: "nothing" };

/** Table T3, as a total function. It is asked at head only, so it judges by the newest rows. */
export function judgeLog(log: LogView, deviceId: string): LogJudgement {
  const { row } = log;
  if (isMisnamed(log)) return NOTHING;
  const own = log.writer === deviceId;
  // A change that another device began is made anew, never forked.
  const forks = log.mine && log.kind === LOG_KINDS.session;
  if (log.dead) return own && row !== null && !row.deleted ? { do: "delete" } : NOTHING;
  if (!row) {
    if (!own) return forks && log.lastSeq + log.waiting > 0 ? { do: "fork", at: 0, drop: false } : NOTHING;
    if (log.waiting > 0) return { do: "join" };
    return log.lastSeq > log.pushedSeq ? { do: "push" } : NOTHING;
  }
  if (row.deleted)
    return forks && (log.lastSeq > log.pushedSeq || log.waiting > 0)
      ? { do: "fork", at: log.pushedSeq, drop: true }
      : { do: "drop" };
  if (!own && !isFetched(log)) return NOTHING;
  if (row.lastSeq > log.lastSeq || log.atRow !== row.tailMac)
    return log.blocked?.version === row.version ? NOTHING : { do: "segments" };
  const beyond = log.lastSeq > row.lastSeq;
  if (own && log.waiting > 0) return { do: "join" };
  if (!own && forks && (beyond || log.waiting > 0)) return { do: "fork", at: row.lastSeq, drop: false };
  if (own ? log.pushedSeq !== row.lastSeq : log.pushedSeq < row.lastSeq) return { do: "advance" };
  return own && beyond ? { do: "push" } : NOTHING;
}
