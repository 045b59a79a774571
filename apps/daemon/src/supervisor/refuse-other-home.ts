import { dirname } from "node:path";
import type { CommandAnswer } from "@codehands/api";
import type { OpenDatabase } from "../database/open-database.ts";
import { isLeftToOther, liesInOtherHome } from "../sessions/left-to-other.ts";
import { readSession } from "../sessions/session-rows.ts";

/**
 * The refusal of a command about a session that is another home's: the one whose files it has, or the device that this
 * home was a copy of. Null for one of this home's own.
 */
export function refuseOtherHome(
  { store, paths }: { store: OpenDatabase; paths: { home: string } },
  sessionId: string | null,
): CommandAnswer | null {
  const session = sessionId === null ? undefined : readSession(store, sessionId);
  if (session === undefined) return null;
  const { id, privateGitDir } = session;
  if (privateGitDir !== null && liesInOtherHome(paths.home, session)) {
    const home = dirname(dirname(privateGitDir));
    return refuse(`This home is a copy of ${home}, where the files of this session lie. Decide about it from there.`);
  }
  if (!isLeftToOther(store, id)) return null;
  return refuse("This session belongs to the device that this home is a copy of. Decide about it there.");
}

function refuse(reason: string): CommandAnswer {
  return { ok: false, code: "not_allowed", reason: `${reason} Nothing was changed.`, next: null, session: null };
}
