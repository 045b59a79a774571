import type { HeldRecord } from "../../src/ports/held-record.ts";
import type { Decision, Need, View } from "../../src/ports/store.ts";
import { MemoryStore, type StoreData } from "../../src/stores/memory-store.ts";

/** The database of a real machine, over whatever it stands on. */
export interface MachineStore {
  /** All that it holds, as the oracle reads it. */
  readonly data: StoreData;
  read(need: Need): Promise<View>;
  apply<T>(need: Need, decide: (view: View) => Decision<T>): Promise<T>;
  /** The process that used it is gone. */
  leave(): void;
}

export interface MachineStoreOptions {
  data: StoreData;
  /** Goes around each transaction. */
  around: (transaction: () => void) => void;
  /** Executes a command within the transaction that takes it on; its outcome. */
  execute: (store: MemoryStore, command: HeldRecord) => string;
}
export type OpenMachineStore = (o: MachineStoreOptions) => MachineStore;

/** A machine whose database is the memory store. */
export const inMemory: OpenMachineStore = ({ data, around, execute }) => {
  const store: MemoryStore = new MemoryStore(data, (command) => execute(store, command));
  return {
    data,
    read: (need) => store.read(need),
    async apply<T>(need: Need, decide: (view: View) => Decision<T>): Promise<T> {
      const done: { result: T }[] = [];
      around(() => void done.push({ result: store.applySync(need, decide) }));
      const [first] = done;
      if (!first) throw new Error("The transaction did not run.");
      return first.result;
    },
    leave: () => undefined,
  };
};
