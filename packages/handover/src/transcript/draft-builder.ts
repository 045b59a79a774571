import { computeHash } from "../hash/compute-hash.ts";
import { redactSecrets } from "../packet/find-secrets.ts";
import type { Draft, PacketState } from "../packet/packet.ts";
import type { AdapterOptions } from "./adapter.ts";
import { eachNote, type Note } from "./find-notes.ts";
import { ownText, shortText } from "./own-text.ts";
import { relativePath } from "./relative-path.ts";

const DEFAULT_PROGRESS = 12;
const MOST_NOTE = 2000;
/** A note that comes again after this many others counts as new. */
const MOST_SEEN = 10_000;
const MOST_FILES = 200;
/** How many of the newest commands are told. */
const MOST_COMMANDS = 5;
const MOST_COMMAND = 200;

/** A step of an agent's own plan. */
export interface PlanStep {
  text: string;
  done: boolean;
}

/** A note, and when it was told. */
interface Told {
  text: string;
  at: number;
  key: string;
}

/** Takes what a session tells, in order, and holds only what the draft needs: its size does not grow with the session. */
export class DraftBuilder {
  readonly #opts: AdapterOptions;
  readonly #most: number;
  readonly #seen = new Set<string>();
  readonly #files = new Map<string, string | null>();
  #progress: Told[] = [];
  #open: Told[] = [];
  /** Counts what was told, so that a part of it can be taken back. */
  #told = 0;
  #spokeAt = 0;
  #commands: string[] = [];
  #goal: string | null = null;
  #context = "";
  #turn: string | null = null;
  #first: string | null = null;
  /** The session's folder, once the session has said it. */
  cwd: string | null = null;
  state: PacketState = {};
  /** Commands are told beside the notes, not only in their place. */
  tellCommands = false;

  constructor(opts: AdapterOptions) {
    this.#opts = opts;
    this.#most = mostProgress(opts.max_progress);
  }

  /** A person's message. The latest one is the goal. */
  user(text: string): void {
    if (text.trim() === "") return;
    this.#goal = shortText(text.trim());
    this.#turn = null;
  }

  /** An agent's message; parts of one message share an id. The last one is the context, its bullets are progress. */
  assistant(text: string, id: string | null = null): void {
    const said = text.trim();
    if (said === "") return;
    this.#first ??= shortText(firstLine(said), 200);
    const goesOn = id !== null && id === this.#turn;
    this.#context = shortText(goesOn ? `${this.#context}\n\n${said}` : said);
    this.#turn = id;
    this.#spokeAt = ++this.#told;
    eachNote(said, (note) => this.note(note));
  }

  /** A place in the session to which `rewind` can go back. */
  get mark(): number {
    return this.#told;
  }

  /** Takes back what the agent said behind a mark: a person went back there and on from there. Files and commands stay. */
  rewind(mark: number): void {
    const kept = ({ at, key }: Told): boolean => {
      if (at > mark) this.#seen.delete(key);
      return at <= mark;
    };
    this.#progress = this.#progress.filter(kept);
    this.#open = this.#open.filter(kept);
    if (this.#spokeAt > mark) this.#context = "";
  }

  /** What stands around the work, when nobody speaks in the session. */
  context(text: string): void {
    this.#context = ownText(text);
  }

  /** Something done, or something that an empty box says is not. */
  note({ text, open }: Note): void {
    if (text.trim() === "") return;
    const owned = ownText(text, MOST_NOTE);
    const key = `${open ? "open" : "done"} ${owned.length > 64 ? computeHash(owned).slice(0, 24) : owned}`;
    if (this.#seen.has(key)) return;
    if (this.#seen.size >= MOST_SEEN) this.#seen.clear();
    this.#seen.add(key);
    const list = open ? this.#open : this.#progress;
    list.push({ text: owned, at: ++this.#told, key });
    const most = open ? Math.max(this.#most, DEFAULT_PROGRESS) : this.#most;
    if (list.length > most * 2 + 8) list.splice(0, list.length - most);
  }

  /** The agent's whole plan as it is now; the one before is void. */
  plan(steps: readonly PlanStep[]): void {
    this.#open = [];
    for (const { text, done } of steps) {
      if (done) this.note({ text, open: false });
      else if (text.trim() !== "")
        this.#open.push({ text: ownText(text.trim(), MOST_NOTE), at: ++this.#told, key: "" });
    }
  }

  /** A command that came to an end. Without notes of the agent's own, the newest ones are what there is of progress. */
  command(command: string, result: string): void {
    const line = redactSecrets(command.slice(0, MOST_COMMAND * 5))
      .replace(/\s+/g, " ")
      .trim();
    if (line === "") return;
    const note = `ran \`${line.length > MOST_COMMAND ? `${line.slice(0, MOST_COMMAND)}…` : line}\`: ${result}`;
    this.#commands = [...this.#commands.filter((other) => other !== note), ownText(note)].slice(-MOST_COMMANDS);
  }

  /** A file that the agent changed. One outside of the session's folder is not named. */
  file(path: string, note: string | null = null): void {
    const inside = relativePath(path, this.cwd ?? this.#opts.cwd ?? null);
    if (inside === null) return;
    const name = ownText(inside, 1000);
    this.#files.delete(name);
    this.#files.set(name, note);
    const [oldest] = this.#files.keys();
    if (this.#files.size > MOST_FILES && oldest !== undefined) this.#files.delete(oldest);
  }

  /** A file that is there no more. */
  forget(path: string): void {
    const inside = relativePath(path, this.cwd ?? this.#opts.cwd ?? null);
    if (inside !== null) this.#files.delete(ownText(inside, 1000));
  }

  get hasContext(): boolean {
    return this.#context !== "";
  }

  build(): Draft {
    const { agent, from_session: session, goal } = this.#opts;
    return {
      goal: redactSecrets(ownText(goal ?? this.#goal ?? this.#fallbackGoal())),
      context: redactSecrets(ownText(this.#context)),
      progress: this.#progressNotes().map(redactSecrets),
      state: this.state,
      next_steps: textsOf(this.#open.slice(-Math.max(this.#most, DEFAULT_PROGRESS))).map(redactSecrets),
      open_questions: [],
      artifacts: [...this.#files].map(([path, note]) => (note === null ? { path } : { path, note })),
      ...(agent === undefined ? {} : { agent }),
      ...(session === undefined ? {} : { from_session: session }),
    };
  }

  #progressNotes(): string[] {
    if (this.#most === 0) return [];
    if (!this.tellCommands && this.#progress.length > 0) return textsOf(this.#progress.slice(-this.#most));
    const commands = this.#commands.slice(-this.#most);
    const room = this.#most - commands.length;
    return [...(room === 0 ? [] : textsOf(this.#progress.slice(-room))), ...commands];
  }

  /** The output of a program does not hold what it was asked: its first words are the nearest there is. */
  #fallbackGoal(): string {
    return this.#first === null ? "" : `Continue the task that began with: ${this.#first}`;
  }
}

const textsOf = (told: readonly Told[]): string[] => told.map(({ text }) => text);

function firstLine(text: string): string {
  const end = text.indexOf("\n");
  return (end === -1 ? text : text.slice(0, end)).replace(/^[#>*\-\s]{1,20}/, "") || text.slice(0, 200);
}

function mostProgress(given: number | undefined): number {
  return given !== undefined && Number.isInteger(given) && given >= 0 ? given : DEFAULT_PROGRESS;
}
