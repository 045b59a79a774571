import type { TailItem } from "./process-types.ts";

/** The longest line that is kept, in bytes without its newline. */
export const LINE_CAP = 8 << 20;

const NEWLINE = 0x0a;

/**
 * Cuts bytes into lines; never decodes, so that a character cut in two does no harm. Holds at most `cap` bytes of an
 * unfinished line. Offsets count from the start of the file.
 */
export class LineSplitter {
  readonly #cap: number;
  #parts: Buffer[] = [];
  #held = 0;
  #dropped = 0;
  /** The byte after the last finished line: where a later reader has to start. */
  #offset: number;

  constructor(offset: number, cap = LINE_CAP) {
    this.#offset = offset;
    this.#cap = cap;
  }

  /** The byte after everything that was pushed. */
  get position(): number {
    return this.#offset + this.#held + this.#dropped;
  }

  /** Takes the next bytes and returns the lines that end in them. The chunk itself is copied and may be used again. */
  push(chunk: Buffer): TailItem[] {
    const items: TailItem[] = [];
    const last = chunk.lastIndexOf(NEWLINE);
    // One copy for all lines of a chunk; each line is a view of it.
    const whole = Buffer.from(chunk.subarray(0, last + 1));
    for (let at = 0; at < whole.length; ) {
      const end = whole.indexOf(NEWLINE, at);
      items.push(this.#finish(whole.subarray(at, end)));
      at = end + 1;
    }
    this.#hold(chunk.subarray(last + 1));
    return items;
  }

  /** The bytes after the last newline, once nothing more will come. */
  end(): TailItem[] {
    if (this.position === this.#offset) return [];
    const endOffset = this.position;
    const bytes = this.#held + this.#dropped;
    const item: TailItem =
      bytes > this.#cap
        ? { kind: "oversize", bytes, endOffset }
        : { kind: "rest", bytes: Buffer.concat(this.#parts), endOffset };
    this.restart(endOffset);
    return [item];
  }

  /** Forgets the unfinished line and goes on at another place. */
  restart(offset: number): void {
    this.#parts = [];
    this.#held = 0;
    this.#dropped = 0;
    this.#offset = offset;
  }

  #finish(tail: Buffer): TailItem {
    const bytes = this.#held + this.#dropped + tail.length;
    const endOffset = this.#offset + bytes + 1;
    const item: TailItem =
      bytes > this.#cap
        ? { kind: "oversize", bytes, endOffset }
        : { kind: "line", bytes: this.#held === 0 ? tail : Buffer.concat([...this.#parts, tail]), endOffset };
    this.restart(endOffset);
    return item;
  }

  #hold(bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (this.#held + this.#dropped + bytes.length > this.#cap) {
      this.#dropped += this.#held + bytes.length;
      this.#parts = [];
      this.#held = 0;
      return;
    }
    this.#parts.push(Buffer.from(bytes));
    this.#held += bytes.length;
  }
}
