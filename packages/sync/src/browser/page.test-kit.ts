import { IndexedDbMachines } from "../../test/model/indexed-db-machines.ts";
import { machinesOver } from "../../test/model/real-machine.ts";
import { rulesWithout } from "../../test/model/rules.ts";
import { runScript } from "../../test/model/run-script.ts";
import { machinesOf, scriptOf } from "../../test/model/script.ts";
import type { Change, Store } from "../ports/store.ts";
import { openIndexedDbStore } from "../stores/indexed-db-store.ts";
import { storeContract } from "../stores/store-contract.test-kit.ts";
import { ME } from "../stores/store-rows.test-kit.ts";
import { takeTests } from "./vitest-in-page.test-kit.ts";

export interface PageResult {
  name: string;
  /** What broke, or null. */
  failure: string | null;
}

/** What the test asks the page to do; everything travels as JSON. */
export interface SyncPage {
  /** The contract of all stores over this browser's database. */
  contract: (forgets?: Forgets) => Promise<PageResult[]>;
  /** The client loop over this browser's database, in the adversary's world: each seed from … to. */
  adversary: (o: Seeds) => Promise<PageResult[]>;
}
/** A fault that is planted: writes of this sort are lost. */
type Forgets = Change["op"];
interface Seeds {
  from: number;
  to: number;
  steps: number;
  forgets?: Forgets;
}

/** A store that loses one sort of writes, or none. */
const forgetful = (store: Store, op: Forgets | undefined): Store => ({
  read: (need) => store.read(need),
  apply: (need, decide) =>
    store.apply(need, (view) => {
      const { changes, result } = decide(view);
      return { changes: changes.filter((change) => change.op !== op), result };
    }),
});

const resultOf = (name: string, run: Promise<unknown>): Promise<PageResult> =>
  run.then(
    () => ({ name, failure: null }),
    (error: unknown) => ({ name, failure: String(error) }),
  );

async function contract(forgets?: Forgets): Promise<PageResult[]> {
  let made = 0;
  storeContract("IndexedDB", {
    durable: true,
    open: async ({ again, accept }) => {
      if (!again) made += 1;
      const name = `contract-${forgets ?? "none"}-${made}`;
      const store = await openIndexedDbStore({ factory: indexedDB, name, deviceId: ME, accept });
      return { store: forgetful(store, forgets), close: () => store.close() };
    },
  });
  const results: PageResult[] = [];
  for (const { name, run } of takeTests()) results.push(await resultOf(name, run()));
  return results;
}

async function runSeed(seed: number, { steps, forgets }: Seeds): Promise<void> {
  const name = `seed-${forgets ?? "none"}-${seed}`;
  const machines = new IndexedDbMachines(indexedDB, name, (store) => forgetful(store, forgets));
  const make = machinesOver(machines.open);
  const result = await runScript(scriptOf(seed, steps), { rules: rulesWithout(), machines: machinesOf(seed), make });
  if (!result.ok) throw new Error(result.why);
  await machines.end();
}

async function adversary(o: Seeds): Promise<PageResult[]> {
  const seeds = Array.from({ length: o.to - o.from + 1 }, (_, i) => o.from + i);
  return Promise.all(seeds.map((seed) => resultOf(`seed ${seed}`, runSeed(seed, o))));
}

const page: SyncPage = { contract, adversary };
Object.assign(globalThis, { testPage: page });
