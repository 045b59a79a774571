import type { Readable } from "node:stream";
import type { Environment } from "./config.ts";
import type { DaemonDoor } from "./connect/daemon-door.ts";
import type { Output } from "./terminal/output.ts";

/** What standard input is: a terminal, or something that is read to its end. */
export type Source = Readable & { isTTY?: boolean; setRawMode?: (on: boolean) => unknown };

/** One call of the command: where it stands, what was asked of every command, and how it reaches the world. */
export interface Cli {
  environment: Environment;
  cwd: string;
  /** `-C`, absolute; null when it was not given. */
  repo: string | null;
  json: boolean;
  quiet: boolean;
  /** `-y`: yes to every question. */
  yes: boolean;
  /** Whether a person is there to be asked. */
  canAsk: boolean;
  stdin: Source;
  output: Output;
  daemon: DaemonDoor;
  /** Milliseconds since 1970. */
  now: () => number;
  /** How long to wait before something is looked at again, milliseconds. */
  pollMs: number;
  newSessionId: () => string;
  newCommandId: () => string;
  /** Calls back at each Ctrl-C instead of ending; the returned function gives Ctrl-C back. */
  onInterrupt: (handle: () => void) => () => void;
}
