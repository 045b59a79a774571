import { SyncError } from "../sync-error.ts";

/** The tables of a browser's database. */
export const STORES = ["state", "records", "logs", "events", "waiting", "orphans", "applied"];
const VERSION = 1;

/** Opens the database and makes its tables. Throws `broken_store` when the browser keeps none. */
export async function openDatabase(factory: IDBFactory, name: string): Promise<IDBDatabase> {
  const request = factory.open(name, VERSION);
  request.addEventListener("upgradeneeded", () => {
    const db = request.result;
    db.createObjectStore("state");
    const records = db.createObjectStore("records", { keyPath: ["kind", "id"] });
    records.createIndex("dirty", "dirty");
    records.createIndex("unbased", "unbased");
    db.createObjectStore("logs", { keyPath: "streamId" }).createIndex("unsettled", "unsettled");
    db.createObjectStore("events", { keyPath: ["streamId", "seq"] });
    db.createObjectStore("waiting", { keyPath: ["streamId", "n"] });
    db.createObjectStore("orphans", { keyPath: "n", autoIncrement: true });
    db.createObjectStore("applied", { keyPath: "id" });
  });
  const db = await answerOf(request);
  // A newer page of ours may want to change the tables: it is not kept waiting.
  db.addEventListener("versionchange", () => db.close());
  return db;
}

/** What a request brings. */
export function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(broken(request.error)));
  });
}

/** Resolves when everything of the transaction is on the disk. */
export function endOf(tx: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    tx.addEventListener("complete", () => resolve());
    tx.addEventListener("abort", () => reject(broken(tx.error)));
  });
}

function broken(cause: DOMException | null): SyncError {
  return new SyncError("broken_store", `The browser's database failed: ${cause?.message ?? "no reason given"}.`, {
    cause,
  });
}
