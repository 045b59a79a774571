import type { KeyPlace } from "../keys/browser-keys.ts";

/** The little of IndexedDB that is needed here; Node's types know none of it. */
interface IdbRequest {
  result: unknown;
  error: unknown;
  addEventListener(name: "success" | "error" | "upgradeneeded", listener: () => void): void;
}
interface IdbStore {
  put(value: unknown, key: string): IdbRequest;
  get(key: string): IdbRequest;
}
interface IdbDatabase {
  createObjectStore(name: string): IdbStore;
  transaction(name: string, mode: "readonly" | "readwrite"): { objectStore(name: string): IdbStore };
}
interface IdbFactory {
  open(name: string, version: number): IdbRequest;
}

const done = (request: IdbRequest): Promise<unknown> =>
  new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(new Error(String(request.error))));
  });

/** The browser's own database as a place for keys. */
export async function openIndexedDb(): Promise<KeyPlace> {
  const { indexedDB } = globalThis as unknown as { indexedDB: IdbFactory };
  const opening = indexedDB.open("keys", 1);
  opening.addEventListener("upgradeneeded", () => {
    (opening.result as IdbDatabase).createObjectStore("keys");
  });
  const database = (await done(opening)) as IdbDatabase;
  const store = (mode: "readonly" | "readwrite"): IdbStore => database.transaction("keys", mode).objectStore("keys");
  return {
    put: async (name, value) => {
      await done(store("readwrite").put(value, name));
    },
    get: (name) => done(store("readonly").get(name)),
  };
}
