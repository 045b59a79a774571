import { and, desc, eq } from "drizzle-orm";
import type { OpenDatabase } from "../database/open-database.ts";
import { clones } from "../database/schema.ts";
import type { Tx } from "../database/transaction.ts";

export type CloneRow = typeof clones.$inferSelect;

/** A checkout as it was found on this device. */
export interface CloneFacts {
  repoKey: string;
  path: string;
  commonDir: string;
  rootCommit: string | null;
  objectFormat: "sha1" | "sha256";
}

/** Notes that a checkout was seen at `at`. Its repository must be noted first. */
export function touchClone(tx: Tx, facts: CloneFacts, at: string): void {
  const { commonDir, rootCommit, objectFormat } = facts;
  tx.store.db
    .insert(clones)
    .values({ ...facts, seenAt: at })
    .onConflictDoUpdate({
      target: [clones.repoKey, clones.path],
      set: { commonDir, rootCommit, objectFormat, seenAt: at },
    })
    .run();
}

/** Forgets a checkout, for example one that moved. Nothing on disk changes. */
export function forgetClone(tx: Tx, repoKey: string, path: string): void {
  tx.store.db
    .delete(clones)
    .where(and(eq(clones.repoKey, repoKey), eq(clones.path, path)))
    .run();
}

/** The checkouts of one repository, or of all, the one seen last first. */
export function listClones(store: OpenDatabase, repoKey?: string): CloneRow[] {
  const query = store.db.select().from(clones).orderBy(desc(clones.seenAt));
  return repoKey === undefined ? query.all() : query.where(eq(clones.repoKey, repoKey)).all();
}

/** The checkout at a path. */
export function findClone(store: OpenDatabase, path: string): CloneRow | undefined {
  return store.db.select().from(clones).where(eq(clones.path, path)).orderBy(desc(clones.seenAt)).get();
}
