/** What the operating system says about one process now. */
export interface ProcessFacts {
  pid: number;
  ppid: number;
  pgid: number;
  /** Start time in the system's own unit: with the pid and the boot id it names one process for ever. */
  startTicks: string;
  /** One letter as `ps` has it: R, S, D, T, Z, X … */
  state: string;
  /** Processor time of the process and of its children that have ended, in hundredths of a second. */
  cpuTicks: number;
}

/** The few questions about processes that differ between operating systems. All answer at once and none throws. */
export interface ProcessHost {
  /** Changes with every start of the machine. */
  bootId(): string;
  /** Null when there is no such process. A process that has ended and waits for its parent is still told, with state Z. */
  look(pid: number): ProcessFacts | null;
  /** Every process whose number is not among the seen. One that ended before it could be looked at has state X. */
  list(seen: ReadonlySet<number>): ProcessFacts[];
  /** The environments that processes were started with, entries ended by NUL; those that cannot be read now are left out. */
  environments(pids: readonly number[]): Map<number, string>;
  /** Working directory, or null when it may not be read. */
  directory(pid: number): string | null;
}

/** False for a process that has ended and only waits for its parent: `kill -0` would say that it lives. */
export function isAlive(facts: ProcessFacts | null): facts is ProcessFacts {
  return facts !== null && facts.state !== "Z" && facts.state !== "X";
}
