import { canSeal, type Suspicion } from "@codehands/vault";
import { findSuspicions, type Holding, readHolding, suspicionName } from "./find-suspicions.ts";
import { type DeviceRecordDeps, type Written, writeDeviceRecord } from "./write-device-record.ts";

export interface KeeperDeps extends DeviceRecordDeps {
  /** Something was written here, or commands may be obeyed now. */
  changed: () => void;
  /** Asks the cloud for everything again (V24): what only seemed a lie is gone then. */
  startOver: () => Promise<void>;
  sleep: (ms: number) => Promise<void>;
  /** Any steady clock, milliseconds. */
  now: () => number;
  /** The sync has ended: nothing is written any more. */
  hasEnded: () => boolean;
  onFault: (what: string, error: unknown) => void;
}

/** V23: at the latest 30 s after the last other write; sooner costs more records. */
const SETTLE_MS = 5_000;
/** How often all that is held is compared while others write; at once when a command waits for it. */
const LOOK_MS = 3_000;

/** Keeps this device's signed record up to date (V23), and holds those of the others against each other (V24). */
export class RecordKeeper {
  readonly #deps: KeeperDeps;
  #shown: Suspicion[] = [];
  /** Rows of other devices came since the last look. */
  #unseen = true;
  /** A command waits for the look. */
  #urgent = true;
  #isLooking = false;
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** At start, and after a change of the roster, the record is written at once. */
  #due: "always" | "if changed" | null = "always";
  #later: Promise<void> | null = null;
  #rosterSeq = -1;
  readonly #askedAgain = new Set<string>();

  constructor(deps: KeeperDeps) {
    this.#deps = deps;
  }

  /** Lies that show and that no person has looked at. */
  get suspicions(): readonly Suspicion[] {
    const { acknowledged } = this.#deps.member.account;
    return this.#shown.filter((each) => !acknowledged.includes(suspicionName(each)));
  }
  /** Nothing has come that was not looked at: only then is a command obeyed (V27). */
  get isSettled(): boolean {
    return !this.#unseen && !this.#isLooking;
  }

  /** Rows of other devices come in with this page. */
  othersChanged(): void {
    this.#unseen = true;
  }
  /** A command waits for what came to be compared. */
  lookSoon(): void {
    this.#urgent = true;
  }
  /** Incarnation, roles or name are others: the record says so soon. */
  ownChanged(): void {
    this.#due ??= "if changed";
  }

  /** Nothing is left to send or fetch: the moment to look, and to write. */
  async atRest(): Promise<void> {
    const { member, changed, hasEnded, now, sleep } = this.#deps;
    // Whoever asks for the list the moment it is whole is answered first; so again between the look and the writing.
    await sleep(0);
    if (hasEnded()) return;
    // Read once for both: a thousand sessions are a thousand records to read.
    let holding: Holding | undefined;
    if (this.#unseen && (this.#urgent || now() - this.#lookedAt > LOOK_MS)) {
      holding = await this.#lookAtAll();
      // Commands that waited for this look.
      changed();
      await sleep(0);
    }
    const roster = member.roster.seq;
    if (roster !== this.#rosterSeq) this.#due ??= "if changed";
    this.#rosterSeq = roster;
    const isDue = this.#due !== null;
    if (isDue) await this.write({ always: this.#due === "always", ...(holding && { holding }) });
    if (!isDue || this.#unseen) this.#later ??= this.#writeLater();
  }

  /** Ends with what is being written at the moment. */
  async idle(): Promise<void> {
    await this.#later;
  }

  /** Writes the record where it can be written now. */
  async write(how: { name?: string; always: boolean; holding?: Holding }): Promise<Written> {
    if (this.#deps.hasEnded() || !canSeal(this.#deps.member.access())) return "waits";
    const written = await writeDeviceRecord(this.#deps, how);
    if (written === "waits") this.#later ??= this.#writeLater();
    else this.#due = null;
    if (written === "written") this.#deps.changed();
    return written;
  }

  async #writeLater(): Promise<void> {
    const { sleep, hasEnded, onFault } = this.#deps;
    await sleep(SETTLE_MS);
    this.#later = null;
    if (hasEnded()) return;
    // What came meanwhile is looked at as well.
    if (this.#unseen) this.#lookedAt = Number.NEGATIVE_INFINITY;
    const work = this.#unseen ? this.atRest() : this.write({ always: this.#due === "always" });
    await work.catch((error: unknown) => onFault("The record of this device could not be written.", error));
  }

  async #lookAtAll(): Promise<Holding> {
    this.#lookedAt = this.#deps.now();
    this.#urgent = this.#unseen = false;
    this.#isLooking = true;
    try {
      const holding = await readHolding(this.#deps.store);
      await this.#look(holding);
      return holding;
    } catch (error) {
      // What could not be looked at was not.
      this.#unseen = this.#urgent = true;
      throw error;
    } finally {
      this.#isLooking = false;
    }
  }

  async #look(holding: Holding): Promise<void> {
    const { member, startOver } = this.#deps;
    const { found, unsure } = await findSuspicions(this.#deps, holding);
    const names = found.map(suspicionName);
    // Something newer of that device is no answer: it stands until its next device record agrees.
    const open = this.#shown.filter((each) => !names.includes(suspicionName(each)) && isOpen(each, unsure));
    // Only what remains after everything was asked for again is a lie that shows.
    this.#shown = [...found.filter((each) => this.#askedAgain.has(suspicionName(each))), ...open];
    const all = new Set([...names, ...open.map(suspicionName)]);
    for (const name of this.#askedAgain) if (!all.has(name)) this.#askedAgain.delete(name);
    // What has gone is to be told again when it comes back.
    const { acknowledged } = member.account;
    const still = acknowledged.filter((name) => all.has(name));
    if (still.length !== acknowledged.length) await member.change({ acknowledged: still });
    const fresh = names.filter((name) => !this.#askedAgain.has(name) && !still.includes(name));
    if (fresh.length === 0) return;
    for (const name of fresh) this.#askedAgain.add(name);
    this.#unseen = this.#urgent = true;
    await startOver();
  }
}

const isOpen = ({ what, shownBy }: Suspicion, unsure: ReadonlySet<string>): boolean =>
  what === shownBy && unsure.has(what);
