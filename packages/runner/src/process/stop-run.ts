import { setTimeout as delay } from "node:timers/promises";
import { RunnerError } from "../runner-error.ts";
import { isAlive, type ProcessFacts, type ProcessHost } from "./host.ts";
import { isWipedOrphan } from "./is-wiped-orphan.ts";
import { pickHost } from "./pick-host.ts";
import type { ProcessName } from "./process-types.ts";
import { findRunFacts, keyOf, livingFacts } from "./run-processes.ts";

const SCAN_MS = 50;
/** How long the wrapper may take to write the exit code once its agent is killed. */
const WRAPPER_MS = 1_000;
/** How long a process that we may not signal is waited for. */
const FOREIGN_MS = 10_000;

export interface StopRequest {
  process: ProcessName | null;
  runId: string;
  /** With a worktree, orphans with a wiped environment that work in it are taken in too. */
  worktree: string | null;
  /** Between SIGTERM and SIGKILL; 0 kills at once. */
  graceMs: number;
}

/**
 * Ends every process of a run and resolves when none is left: SIGTERM, then after the grace period all are frozen,
 * looked for again and killed. What is signalled is checked by its start time first, so a number that was given to
 * another program is left alone, and so are we and our ancestors. Counts the agent's processes, not our wrapper. Throws
 * RunnerError when one belongs to another user.
 */
export async function stopRun(o: StopRequest): Promise<{ signalled: number; killed: number }> {
  const stop = new RunStop(o);
  // The set is taken before the first signal: what leaves the tree afterwards is still known.
  stop.scan();
  await stop.ask(o.graceMs);
  await stop.kill();
  return stop.counts();
}

class RunStop {
  readonly #o: StopRequest;
  readonly #host: ProcessHost = pickHost();
  readonly #members = new Map<string, ProcessFacts>();
  readonly #asked = new Set<string>();
  readonly #killed = new Set<string>();
  readonly #foreign = new Set<string>();
  #scanMs = 0;
  #emptyScans = 0;

  constructor(o: StopRequest) {
    this.#o = o;
  }

  /** Adds what belongs to the run now, and returns the members that live. */
  scan(onMarked?: (facts: ProcessFacts) => void): ProcessFacts[] {
    const started = performance.now();
    const search = { known: [...this.#members.values()], ...(onMarked === undefined ? {} : { onMarked }) };
    const found = [...findRunFacts(this.#host, this.#o, search), ...this.#wipedOrphans()];
    for (const facts of found) this.#members.set(keyOf(facts), facts);
    this.#scanMs = performance.now() - started;
    const living = [...this.#members.values()].filter((facts) => this.#lives(facts));
    // One that was found and has ended since may have left a child.
    this.#emptyScans = found.length + living.length === 0 ? this.#emptyScans + 1 : 0;
    return living;
  }

  /** True once two looks in a row have found nothing. */
  isOver(): boolean {
    return this.#emptyScans >= 2;
  }

  /** SIGTERM to each once, also to those that appear meanwhile, until none lives or the grace period is over. */
  async ask(graceMs: number): Promise<void> {
    const deadline = performance.now() + graceMs;
    while (performance.now() < deadline) {
      const living = this.scan();
      if (this.isOver()) return;
      for (const facts of living) {
        if (this.#asked.has(keyOf(facts))) continue;
        this.#asked.add(keyOf(facts));
        // A frozen process hears SIGTERM only when it goes on.
        if (this.#signal(facts, "SIGTERM")) this.#signal(facts, "SIGCONT");
      }
      const pause = living.length === 0 ? 1 : this.#pause();
      await delay(Math.min(pause, Math.max(1, deadline - performance.now())));
    }
  }

  /** Freezes all until no new one appears, then kills all, until none is left. */
  async kill(): Promise<void> {
    const began = performance.now();
    for (let living = this.scan(); !this.isOver(); living = this.scan()) {
      const waited = performance.now() - began;
      const wrapper = livingFacts(this.#host, this.#o.process);
      const spared = wrapper !== null && waited < WRAPPER_MS ? keyOf(wrapper) : null;
      this.#freeze(spared);
      for (const facts of this.scan()) {
        if (keyOf(facts) === spared || !this.#signal(facts, "SIGKILL")) continue;
        this.#killed.add(keyOf(facts));
      }
      const isForeign = living.length > 0 && living.every((facts) => this.#foreign.has(keyOf(facts)));
      if (isForeign && waited > FOREIGN_MS) throw foreignError(living);
      await delay(living.length === 0 ? 1 : Math.min(this.#pause(), 5 + waited / 4));
    }
  }

  counts(): { signalled: number; killed: number } {
    const ofTheAgent = (keys: Iterable<string>): number => {
      const found = new Set(keys);
      // Our own wrapper may live a moment longer than what it ran.
      if (this.#o.process !== null) found.delete(keyOf(this.#o.process));
      return found.size;
    };
    return { signalled: ofTheAgent([...this.#asked, ...this.#killed]), killed: ofTheAgent(this.#killed) };
  }

  /** A process that forks again and again is caught once all that it has made stand still; those marked stand at once. */
  #freeze(spared: string | null): void {
    const frozen = new Set<string>();
    const stand = (facts: ProcessFacts): void => {
      if (keyOf(facts) !== spared && !frozen.has(keyOf(facts))) this.#signal(facts, "SIGSTOP");
      frozen.add(keyOf(facts));
    };
    for (let before = -1; before !== frozen.size; ) {
      before = frozen.size;
      for (const facts of this.scan(stand)) stand(facts);
    }
  }

  #lives(facts: ProcessFacts): boolean {
    const now = this.#host.look(facts.pid);
    return isAlive(now) && now.startTicks === facts.startTicks;
  }

  #signal(facts: ProcessFacts, signal: NodeJS.Signals): boolean {
    if (!this.#lives(facts)) return false;
    try {
      process.kill(facts.pid, signal);
      return true;
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EPERM") this.#foreign.add(keyOf(facts));
      return false;
    }
  }

  #wipedOrphans(): ProcessFacts[] {
    const { worktree, process: wrapper } = this.#o;
    if (worktree === null || wrapper === null || wrapper.bootId !== this.#host.bootId()) return [];
    const host = this.#host;
    return host.list(new Set()).filter((facts) => isAlive(facts) && isWipedOrphan({ host, facts, worktree, wrapper }));
  }

  /** With many processes a look costs tens of milliseconds: at most a fifth of the time goes into it. */
  #pause(): number {
    return Math.max(SCAN_MS, this.#scanMs * 4);
  }
}

function foreignError(living: readonly ProcessFacts[]): RunnerError {
  const pids = living.map(({ pid }) => pid).join(", ");
  const text = `The agent started processes of another user that we may not end (pid ${pids}). All others were ended; end these yourself.`;
  return new RunnerError("internal", text);
}
