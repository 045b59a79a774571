import { createHash } from "node:crypto";

const SMALLEST = 4096;
const DEEPEST = 200;

const SET = "[A-Za-z0-9+/_-]";
// The look-behind lets a run begin only at its first character: each character is read once. A star after the count
// and not {n,}, which runs out of stack at a few million characters.
const RUN = new RegExp(`(?<!${SET})${SET}{${SMALLEST}}${SET}*={0,2}`, "g");
const WRAPPED_LINE = /^[A-Za-z0-9+/]{60,100}\r?$/;

/**
 * Replaces base64 blobs of 4 KiB and more in a parsed line by the size and sha256 of their content, so that an image is not stored twice.
 * What needs no change comes back as the same object; below 200 levels a value is replaced by a note.
 */
export function shrinkRaw(value: unknown): unknown {
  return shrink(value, 0);
}

function shrink(value: unknown, depth: number): unknown {
  if (typeof value === "string") return shrinkText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= DEEPEST) return `[left out: nested more than ${DEEPEST} levels deep]`;
  if (Array.isArray(value)) {
    const items = value.map((item) => shrink(item, depth + 1));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const before = Object.entries(value);
  const after = before.map(([key, item]) => [key, shrink(item, depth + 1)] as const);
  // fromEntries makes own properties, also of the key __proto__.
  return after.some(([, item], index) => item !== before[index]?.[1]) ? Object.fromEntries(after) : value;
}

function shrinkText(text: string): string {
  if (text.length < SMALLEST) return text;
  if (isWrapped(text)) return note(text);
  return text.replace(RUN, (run) => (looksEncoded(run) ? note(run) : run));
}

/** Base64 in lines of one length, as mail and PEM have it. */
function isWrapped(text: string): boolean {
  const firstEnd = text.slice(0, 102).indexOf("\n");
  if (firstEnd === -1 || !WRAPPED_LINE.test(text.slice(0, firstEnd))) return false;
  const lines = text.trimEnd().split("\n");
  const last = lines.pop() ?? "";
  return lines.every((line) => WRAPPED_LINE.test(line)) && /^[A-Za-z0-9+/]{0,100}={0,2}$/.test(last);
}

/** A ruler of one character or a row of digits is no blob. */
const looksEncoded = (run: string): boolean => new Set(run.slice(0, SMALLEST)).size >= 12;

function note(blob: string): string {
  const bytes = Buffer.from(blob, "base64");
  return `[base64: ${bytes.length} bytes, sha256 ${createHash("sha256").update(bytes).digest("hex")}]`;
}
