import type { EventView } from "@codehands/api";
import { flushProgress, NO_PROGRESS, type ProgressLook, type ProgressState, stepProgress } from "../render/progress.ts";
import type { TerminalFacts } from "../terminal/terminal-facts.ts";
import type { SessionView } from "../wire-types.ts";

/** Like events come in bursts: after this the line is drawn. */
const GATHER_MS = 1_200;
/** A command that takes longer is told while it runs. */
const LONG_MS = 5_000;

/** Draws events as they come: like ones are gathered to one line, and nothing is held back for longer than a moment. */
export class LiveLines {
  readonly #facts: TerminalFacts;
  readonly #write: (line: string) => void;
  #session: SessionView;
  #state: ProgressState = NO_PROGRESS;
  #timers: NodeJS.Timeout[] = [];

  constructor(o: { session: SessionView; facts: TerminalFacts; write: (line: string) => void }) {
    this.#session = o.session;
    this.#facts = o.facts;
    this.#write = o.write;
  }

  /** Takes the session's newest state, for its worktree and its clock. */
  seeSession(session: SessionView): void {
    this.#session = session;
  }

  take(event: EventView): void {
    const { state, lines } = stepProgress(this.#state, event, this.#look());
    this.#state = state;
    for (const line of lines) this.#write(line);
    this.#rest();
    this.#timers = [setTimeout(() => this.#flush(false), GATHER_MS), setTimeout(() => this.#flush(true), LONG_MS)];
  }

  /** Draws what was held back; nothing comes after. */
  end(): void {
    this.#rest();
    this.#flush(false);
  }

  #flush(idle: boolean): void {
    const { state, lines } = flushProgress(this.#state, this.#look(), idle);
    this.#state = state;
    for (const line of lines) this.#write(line);
  }

  #rest(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #look(): ProgressLook {
    const { worktree, startedAt, createdAt } = this.#session;
    return { facts: this.#facts, worktree, startedAt: startedAt ?? createdAt };
  }
}
