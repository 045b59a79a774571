import type { Readable } from "node:stream";
import type { HandoverConfig } from "../config.ts";

/** Everything that the command takes from outside of itself. */
export interface HandoverWorld {
  /** What stands behind the command's name. */
  words: readonly string[];
  /** Relative paths start here. */
  cwd: string;
  config: HandoverConfig;
  stdin: Readable & { isTTY?: boolean };
  /** Milliseconds since 1970. Read by `pack` alone. */
  now: () => number;
  writeOut: (text: string) => void;
  writeError: (text: string) => void;
  /** As the usage writes it; `handover` when absent. */
  name?: string;
}

/** 0: done. 1: not done, or the packet is not valid. */
export type HandoverExit = 0 | 1;
