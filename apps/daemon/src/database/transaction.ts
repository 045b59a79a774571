import type { OpenDatabase } from "./open-database.ts";

declare const open: unique symbol;

/**
 * Proof that a write transaction is open on `store`. Every writer takes one, so that a fact, its status and
 * its outcome are stored together or not at all. It must not be kept after the transaction.
 */
export interface Tx {
  readonly store: OpenDatabase;
  readonly [open]: true;
}

/**
 * Runs `work` in one immediate transaction and returns its result once it is committed and synced to disk.
 * Rolls everything back when `work` throws. `work` must be synchronous: a promise would outlive the transaction.
 */
export function inTransaction<T>(store: OpenDatabase, work: (tx: Tx) => T extends Promise<unknown> ? never : T): T {
  const run = store.sqlite.transaction(() => work({ store } as Tx));
  return run.immediate();
}
