import { PUSH_LIMITS } from "@codehands/contracts";
import type { CloudPort } from "../ports/cloud-port.ts";
import type { Sealing } from "../ports/sealing.ts";
import type { Store } from "../ports/store.ts";
import type { ProcessMemory } from "./process-memory.ts";

/** What the steps of the loop work with. */
export interface SyncParts {
  cloud: CloudPort;
  store: Store;
  sealing: Sealing;
  limits: SyncLimits;
  /** Told of faults after which everything goes on. */
  onFault: (what: string, error: unknown) => void;
  memory: ProcessMemory;
}

/** How much one message may hold. */
export interface SyncLimits {
  /** Of a push. */
  events: number;
  bytes: number;
  /** Of a page. */
  rows: number;
  /** Of a reply with segments. */
  segments: number;
}

export const DEFAULT_LIMITS: SyncLimits = { ...PUSH_LIMITS, rows: 1_000, segments: 100 };
