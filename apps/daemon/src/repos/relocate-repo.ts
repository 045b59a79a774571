import { inTransaction } from "../database/transaction.ts";
import { changeSession, type SessionRow, sessionsIn } from "../sessions/session-rows.ts";
import { type CloneRow, findClone, forgetClone, touchClone } from "./clone-rows.ts";
import { identifyRepo, type RepoIdentity } from "./identify-repo.ts";
import { touchRepo } from "./repo-rows.ts";
import type { ReposDeps } from "./repos-deps.ts";

type Found = Extract<RepoIdentity, { ok: true }>;

/**
 * Makes the function that tells where a moved checkout lies now. Its sessions keep their worktrees and find their
 * objects and branches at the new place; refused while one of them runs, and for another repository.
 */
export function createRelocate(deps: ReposDeps) {
  return async (from: string, to: string): Promise<{ ok: true; repoKey: string } | { ok: false; reason: string }> => {
    const old = findClone(deps.store, from.replace(/(?<=.)\/+$/, ""));
    if (old === undefined) return { ok: false, reason: `No repository was used at ${from}. Nothing was changed.` };
    const found = await identifyRepo(to, deps);
    if (!found.ok) return { ok: false, reason: `${found.reason} Nothing was changed.` };
    const sessions = sessionsOf(deps, old);
    const problem = whyNotTo(old, found, sessions);
    if (problem !== null) return { ok: false, reason: `${problem} Nothing was changed.` };

    inTransaction(deps.store, (tx) => {
      // Without an origin the key comes from the old path. The history stays under it.
      const { repoKey } = old;
      if (found.repo.repoKey === repoKey) touchRepo(tx, found.repo, deps.clock());
      forgetClone(tx, repoKey, old.path);
      touchClone(tx, { ...found.clone, repoKey }, deps.clock());
      const { path: repoPath, commonDir } = found.clone;
      for (const { id } of sessions) changeSession(tx, id, { repoPath, commonDir });
    });
    // The agents' own git finds the repository through a file in each worktree; ours does not need it.
    await deps.git(found.clone.path, ["worktree", "repair"]);
    return { ok: true, repoKey: old.repoKey };
  };
}

function sessionsOf(deps: ReposDeps, old: CloneRow): SessionRow[] {
  const all = sessionsIn(
    deps.store,
    "queued",
    "running",
    "stopped",
    "awaiting_approval",
    "approved",
    "rejected",
    "failed",
  );
  return all.filter((session) => session.repoPath === old.path || session.commonDir === old.commonDir);
}

function whyNotTo(old: CloneRow, found: Found, sessions: readonly SessionRow[]): string | null {
  const isSame =
    old.rootCommit === null ? found.repo.repoKey === old.repoKey : found.clone.rootCommit === old.rootCommit;
  if (!isSame) return `${found.clone.path} is another repository than the one that lay at ${old.path}.`;
  const busy = sessions.find((session) => session.status === "running" || session.status === "queued");
  return busy === undefined ? null : `Session ${busy.id.slice(0, 8)} is ${busy.status}: stop it first.`;
}
