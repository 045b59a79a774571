/** How one run's process is known: with its start time and boot id a pid names one process for ever. */
export interface ProcessName {
  pid: number;
  pgid: number;
  startTicks: string;
  bootId: string;
}

export interface SpawnRequest {
  runId: string;
  /** `<home>/runs/<runId>`; made by the spawn, mode 0700. */
  runDir: string;
  /** Program and its words. Never passed through a shell as text. */
  command: readonly string[];
  cwd: string;
  /** The whole environment of the agent. */
  env: Readonly<Record<string, string>>;
  /** Goes in as a 0600 file; null means no stdin. */
  stdin: string | null;
}

/** What a run that an earlier process of ours started has become. */
export type Adoption =
  | { state: "live"; process: ProcessName }
  /** The wrapper wrote the exit code. */
  | { state: "exited"; exitCode: number }
  /** It can be proved that the agent never started. */
  | { state: "never_started" }
  /** No process and no exit code. */
  | { state: "gone" };

/** What the tail of a run's output hands over. `endOffset` is the byte after the item. */
export type TailItem =
  | { kind: "line"; bytes: Buffer; endOffset: number }
  /** A line over the cap; its bytes were passed over. */
  | { kind: "oversize"; bytes: number; endOffset: number }
  /** Bytes after the last newline, once the process is gone. */
  | { kind: "rest"; bytes: Buffer; endOffset: number }
  /** The file became shorter than what was read: something truncated it. */
  | { kind: "shrunk"; endOffset: number };
