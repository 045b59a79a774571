import { isObject, type JsonObject } from "./field.ts";

/** Deeper lines are kept as text: what stores and shows a line may well be recursive. */
const DEEPEST = 200;

export type JsonLine = { kind: "blank" } | { kind: "objects"; objects: JsonObject[] } | { kind: "text"; text: string };

/**
 * One line of an agent's output. A byte order mark, NUL bytes and white space around it are passed over, several
 * objects on one line are taken one by one, and everything that is no object stays text. Never throws.
 */
export function parseJsonLine(line: string): JsonLine {
  const text = trimmed(line);
  if (text === "") return { kind: "blank" };
  if (text[0] !== "{" || isTooDeep(text)) return { kind: "text", text };
  const whole = parseObject(text);
  if (whole !== undefined) return { kind: "objects", objects: [whole] };
  const pieces = splitObjects(text)?.map(parseObject);
  if (pieces === undefined || pieces.length < 2 || pieces.includes(undefined)) return { kind: "text", text };
  return { kind: "objects", objects: pieces.filter((piece) => piece !== undefined) };
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isBlank = (code: number): boolean => code <= 0x20 || code === 0xfeff;

// By hand: a pattern anchored at the end re-reads every run of blanks inside the line.
function trimmed(line: string): string {
  let from = 0;
  let to = line.length;
  while (from < to && isBlank(line.charCodeAt(from))) from += 1;
  while (to > from && isBlank(line.charCodeAt(to - 1))) to -= 1;
  return line.slice(from, to);
}

function isTooDeep(text: string): boolean {
  if (text.length < 2 * DEEPEST) return false;
  return countUpTo(text, "{", DEEPEST) + countUpTo(text, "[", DEEPEST) > DEEPEST && walk(text).depth > DEEPEST;
}

function countUpTo(text: string, character: string, limit: number): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1 && count <= limit; at = text.indexOf(character, at + 1)) count += 1;
  return count;
}

/** Cuts `{…}{…}` between the objects; null when brackets do not match. */
function splitObjects(text: string): string[] | null {
  const { ends, open } = walk(text);
  if (open !== 0 || ends.at(-1) !== text.length) return null;
  return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
}

/** Brackets outside of strings: how deep they nest, and where the outermost ones close. */
function walk(text: string): { depth: number; ends: number[]; open: number } {
  let depth = 0;
  let open = 0;
  let inString = false;
  const ends: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 0x5c) at += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) depth = Math.max(depth, ++open);
    else if (code === 0x7d || code === 0x5d) {
      open -= 1;
      if (open === 0) ends.push(at + 1);
      if (open < 0) return { depth, ends, open };
    }
  }
  return { depth, ends, open };
}
