import { DeviceError } from "../device-error.ts";

/** Opens a database; makes its tables when it is new, each with keys of its own beside the values. */
export async function openTables(factory: IDBFactory, name: string, tables: readonly string[]): Promise<IDBDatabase> {
  const request = factory.open(name);
  request.addEventListener("upgradeneeded", () => {
    for (const table of tables) request.result.createObjectStore(table);
  });
  const db = await answerOf(request);
  // A newer page of ours may want to change or delete it: it is not kept waiting.
  db.addEventListener("versionchange", () => db.close());
  return db;
}

/** What a request brings; throws `broken_store`. */
export function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(broken(request.error)));
  });
}

/** Writes in one durable transaction over the tables; when it rejects, nothing was written. */
export async function writeTables<T>(
  db: IDBDatabase,
  tables: readonly string[],
  write: (tx: IDBTransaction) => Promise<T>,
): Promise<T> {
  const tx = db.transaction(tables, "readwrite", { durability: "strict" });
  const ended = new Promise<void>((resolve, reject) => {
    tx.addEventListener("complete", () => resolve());
    tx.addEventListener("abort", () => reject(broken(tx.error)));
  });
  try {
    const result = await write(tx);
    await ended;
    return result;
  } catch (error) {
    // The end of an aborted transaction says nothing new.
    ended.catch(() => undefined);
    abort(tx);
    throw error;
  }
}

function abort(tx: IDBTransaction): void {
  try {
    tx.abort();
  } catch (error) {
    // It has ended already.
    if (!(error instanceof DOMException)) throw error;
  }
}

function broken(cause: DOMException | null): DeviceError {
  const why = cause?.message ?? "no reason given";
  return new DeviceError("broken_store", `The browser's database failed (${why}). Nothing was changed.`, { cause });
}
