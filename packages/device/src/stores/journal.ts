import { type FileHandle, open, readFile } from "node:fs/promises";
import type { Change, StoreData } from "@codehands/sync";
import { DeviceError } from "../device-error.ts";
import { writeDurably } from "./write-durably.ts";

/** One line of a journal: everything as it was, or the writes of one transaction with the outcomes of what it accepted. */
export type JournalLine =
  | { snapshot: ReturnType<typeof snapshotOf> }
  | { changes: readonly Change[]; accepted: readonly { id: string; outcome: string | null }[] };

/** Store data as JSON holds it. */
export const snapshotOf = ({ state, records, logs, events, waiting, orphans, applied }: StoreData) => ({
  state,
  orphans,
  records: [...records],
  logs: [...logs],
  events: [...events],
  waiting: [...waiting],
  applied: [...applied],
});

/** Store data from a snapshot. */
export const dataOf = ({
  state,
  orphans,
  records,
  logs,
  events,
  waiting,
  applied,
}: ReturnType<typeof snapshotOf>): StoreData => ({
  state,
  orphans,
  records: new Map(records),
  logs: new Map(logs),
  events: new Map(events),
  waiting: new Map(waiting),
  applied: new Map(applied),
});

/** A file of lines, each one transaction: a line that is on the disk to its end happened, any other did not. */
export class Journal {
  readonly #path: string;
  #file: FileHandle;
  #size: number;
  /** Bytes after the last snapshot. */
  #grown: number;

  private constructor(path: string, file: FileHandle, size: number) {
    this.#path = path;
    this.#file = file;
    this.#size = size;
    this.#grown = size;
  }

  /** Opens it with the lines it holds; makes it when it is new. Throws `broken_store`. */
  static async open(path: string): Promise<{ journal: Journal; lines: JournalLine[] }> {
    const file = await open(path, "a", 0o600);
    try {
      const text = await readFile(path, "utf8");
      // A transaction that a crash cut short never was.
      const whole = text.slice(0, text.lastIndexOf("\n") + 1);
      const size = Buffer.byteLength(whole);
      if (whole.length < text.length) await file.truncate(size);
      const lines = whole
        .split("\n")
        .slice(0, -1)
        .map((line) => parseLine(path, line));
      return { journal: new Journal(path, file, size), lines };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Resolves when the line is on the disk; when it rejects, it is not in the journal. */
  async append(line: JournalLine): Promise<void> {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    try {
      await this.#file.appendFile(bytes);
      await this.#file.datasync();
    } catch (cause) {
      await this.#file.truncate(this.#size).catch(() => undefined);
      throw new DeviceError("broken_store", `${this.#path} cannot be written. Nothing was changed.`, { cause });
    }
    this.#size += bytes.length;
    this.#grown += bytes.length;
  }

  /** Bytes that a new snapshot would save, at most. */
  get grown(): number {
    return this.#grown;
  }

  /** Replaces all lines by one. */
  async replace(line: JournalLine): Promise<void> {
    const text = `${JSON.stringify(line)}\n`;
    await writeDurably(this.#path, text);
    const old = this.#file;
    this.#file = await open(this.#path, "a", 0o600);
    await old.close();
    this.#size = Buffer.byteLength(text);
    this.#grown = 0;
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

function parseLine(path: string, line: string): JournalLine {
  try {
    return JSON.parse(line) as JournalLine;
  } catch (cause) {
    const reason = `${path} is damaged. Nothing was changed: put a copy back, or remove it and pair anew.`;
    throw new DeviceError("broken_store", reason, { cause });
  }
}
