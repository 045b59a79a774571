import type { OpenDatabase } from "../database/open-database.ts";
import type { Tx } from "../database/transaction.ts";

/** The sealed change of a session. */
export interface ChangeRow {
  sessionId: string;
  treeId: string;
  streamId: string;
  /** The stream before it, which is kept as well. */
  previousStreamId: string | null;
}

/** The change that was sealed last for a session. */
export function readChange(store: OpenDatabase, sessionId: string): ChangeRow | null {
  const row = store
    .prepare(
      `select session_id sessionId, tree_id treeId, stream_id streamId, previous_stream_id previousStreamId
       from changes where session_id = ?`,
    )
    .get(sessionId) as ChangeRow | undefined;
  return row ?? null;
}

/** Notes the newest sealed change of a session; the one before becomes the previous. */
export function putChange(tx: Tx, change: Pick<ChangeRow, "sessionId" | "treeId" | "streamId">): void {
  tx.store
    .prepare(
      `insert into changes (session_id, tree_id, stream_id) values (@sessionId, @treeId, @streamId)
       on conflict (session_id) do update set
         tree_id = excluded.tree_id, stream_id = excluded.stream_id, previous_stream_id = changes.stream_id`,
    )
    .run(change);
}

/** Forgets which changes were sealed: for another account they are sealed anew. */
export function forgetChanges(tx: Tx): void {
  tx.store.prepare("delete from changes").run();
}
