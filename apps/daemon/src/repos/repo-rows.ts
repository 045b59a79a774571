import { desc, eq, sql } from "drizzle-orm";
import type { OpenDatabase } from "../database/open-database.ts";
import { repos } from "../database/schema.ts";
import type { Tx } from "../database/transaction.ts";

export type RepoRow = typeof repos.$inferSelect;

/** What is known of a repository when it is used. */
export interface RepoFacts {
  repoKey: string;
  name: string;
  /** The origin URL without credentials. */
  remote: string | null;
  matchKey: string;
  defaultBranch: string | null;
}

/** Notes that a repository was used at `at`; its trust and its first day are kept. */
export function touchRepo(tx: Tx, facts: RepoFacts, at: string): void {
  const { name, remote, matchKey, defaultBranch } = facts;
  tx.store.db
    .insert(repos)
    .values({ ...facts, createdAt: at, lastUsedAt: at })
    .onConflictDoUpdate({
      target: repos.repoKey,
      set: { name, remote, matchKey, defaultBranch, lastUsedAt: at, rev: sql`${repos.rev} + 1`, dirty: "edit" },
    })
    .run();
}

/** Trusts the settings with this hash, or none (null). False when the repository is unknown. */
export function setTrustedHash(tx: Tx, repoKey: string, trustedHash: string | null): boolean {
  const change = { trustedHash, rev: sql`${repos.rev} + 1`, dirty: "edit" };
  return tx.store.db.update(repos).set(change).where(eq(repos.repoKey, repoKey)).run().changes === 1;
}

/** One repository by its key. */
export function readRepo(store: OpenDatabase, repoKey: string): RepoRow | undefined {
  return store.db.select().from(repos).where(eq(repos.repoKey, repoKey)).get();
}

/** All repositories, the one used last first. */
export function listRepos(store: OpenDatabase): RepoRow[] {
  return store.db.select().from(repos).orderBy(desc(repos.lastUsedAt), repos.repoKey).all();
}

/** The repositories whose records are behind, at most `limit`. */
export function dirtyRepos(store: OpenDatabase, limit: number): RepoRow[] {
  return store.db.select().from(repos).where(eq(repos.dirty, "edit")).limit(limit).all();
}

/** What changed of a repository is in its record now, unless it changed again after `rev`. */
export function markRepoSent(tx: Tx, repoKey: string, rev: number): void {
  tx.store.prepare("update repos set dirty = '' where repo_key = ? and rev = ?").run(repoKey, rev);
}

/** Everything is to be sent anew, to another account. */
export function markReposUnsent(tx: Tx): void {
  tx.store.prepare("update repos set dirty = 'edit'").run();
}
