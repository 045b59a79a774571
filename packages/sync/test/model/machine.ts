import type { ModelStore } from "./model-store.ts";
import type { PageRow, Reply, Request } from "./shapes.ts";

/** What the oracle reads of a device's database. */
export type View = Pick<
  ModelStore,
  "dev" | "epoch" | "cursor" | "revoked" | "copy" | "reset" | "recs" | "logs" | "orphans" | "sumResets"
>;

/** What the world gives a machine: each local transaction goes through `around`, each run of a command is told. */
export interface Surroundings {
  around: (machine: Machine, transaction: () => void) => void;
  ran: (command: string) => void;
  newId: (prefix: string) => string;
  /** Sealed bytes by mac: what the cloud stores beside the fields that the model looks at. */
  items: Map<string, string>;
  /** The key epoch of each chain value that a real machine computed. */
  keys: Map<string, number>;
}

/** A change that a person or the program makes on a device. */
export type LocalChange =
  | { do: "append"; sid: string; id: string }
  | { do: "session"; sid: string; id: string }
  | { do: "delete"; sid: string }
  | { do: "follow"; sid: string; writer: string }
  | { do: "unfollow"; sid: string }
  /** It seals under a newer key from now on. */
  | { do: "rechain"; key: number }
  | { do: "edit"; kind: string; id: string; body: string; del?: boolean }
  | { do: "new-device"; dev: string }
  | { do: "adopt" };

/** One physical machine with a database and, while it runs, a process. */
export interface Machine {
  readonly uid: number;
  /** How many turns it still sleeps. */
  off: number;
  view(): View;
  readonly running: boolean;
  /** The boot id of the running process. */
  readonly boot: string | null;
  readonly hello: boolean;
  readonly atHead: boolean;
  start(): void;
  crash(): void;
  /** Puts the database back to an earlier copy, or hands a copy out. The process is gone then. */
  save(): unknown;
  load(saved: unknown): void;
  change(change: LocalChange): Promise<void> | void;
  /** Asks for a compaction of a range. */
  compact(range: { sid: string; from: number; to: number }): void;
  /** The next request with its id, when there is one to send; two may be open at once. */
  send(): Promise<{ rid: string; q: Request } | null>;
  /** Hands a reply in; the process dies after `crashAt` transactions. */
  receive(rid: string, reply: Reply, crashAt: number): Promise<void>;
  /** Gives up one open request, or all. */
  forget(which: "first" | "all"): void;
  /** Makes the next round begin with a pull, as a poke or 30 quiet seconds do. */
  poke(): void;
  /** What it would send now, by name; null when it waits. */
  wants(): Promise<string | null>;
  /** S11 over rows of the cloud, as this machine computes it; absent where the model's own is meant. */
  sum?(rows: readonly PageRow[]): string;
}
