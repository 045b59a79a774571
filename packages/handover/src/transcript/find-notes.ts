import { eachLine } from "./lines-of.ts";

/** A bullet or numbered line. One with an empty box (`- [ ]`) is still to be done. */
export interface Note {
  text: string;
  open: boolean;
}

const BULLET = /^[ \t]{0,64}(?:[-*+•]|\d{1,9}[.)])[ \t]{1,64}(?:\[([ xX])\][ \t]{1,64})?/;
const BEGINNINGS = Array.from("-*+•`~", (character) => character.charCodeAt(0));
const FENCE = /^[ \t]{0,64}(`{3,}|~{3,})/;

/** Goes over lines and finds the bullets that stand outside of code. Holds what it needs from line to line. */
export class NoteFinder {
  #fence: string | null = null;

  /** True while the line before belonged to a block of code. */
  get inCode(): boolean {
    return this.#fence !== null;
  }

  /** The note of this line, or null. */
  take(line: string): Note | null {
    if (!mayBegin(line)) return null;
    const fence = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      if (this.#fence === null) this.#fence = fence;
      else if (fence.startsWith(this.#fence)) this.#fence = null;
      return null;
    }
    if (this.#fence !== null) return null;
    const match = BULLET.exec(line);
    const text = match === null ? "" : line.slice(match[0].length).trim();
    return text === "" ? null : { text, open: match?.[1] === " " };
  }
}

/** False for lines that are neither a fence nor a bullet, by their first character: most lines are neither. */
function mayBegin(line: string): boolean {
  let at = 0;
  while (line.charCodeAt(at) === 32 || line.charCodeAt(at) === 9) at++;
  const code = line.charCodeAt(at);
  return (code >= 48 && code <= 57) || BEGINNINGS.includes(code);
}

/** Calls back for the bullets and numbered lines of a text. Those in code are code. */
export function eachNote(text: string, visit: (note: Note) => void): void {
  const finder = new NoteFinder();
  eachLine(text, (line) => {
    const note = finder.take(line);
    if (note !== null) visit(note);
  });
}
