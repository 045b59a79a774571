import type { DiffView } from "@codehands/api";
import type { ChangeRecord } from "./change-record.ts";
import { sha256Hex } from "./sha256-hex.ts";

/** What a review needs, as it travels. Secrets are masked in it before it comes here. */
export interface SealedChange extends DiffView {
  baseCommit: string | null;
}

export interface ChangeLimits {
  /** The whole text of a change, bytes of UTF-8. */
  change: number;
  /** One slice as a line of its log, bytes of UTF-8: below what a segment and a push may hold. */
  slice: number;
}

export const CHANGE_LIMITS: ChangeLimits = { change: 20 * 1024 * 1024, slice: 512 * 1024 };

/** A change cut for its log: the lines of the slices in order, and what its record says beside the stream's id. */
export interface CutChange extends Omit<ChangeRecord, "streamId"> {
  lines: string[];
}

/**
 * Cuts a change for its log. Above the limit its patch ends after the last file that fits; all else stays whole and
 * `truncated` says so.
 */
export async function cutChange(change: SealedChange, limits: ChangeLimits = CHANGE_LIMITS): Promise<CutChange> {
  const whole = JSON.stringify(change);
  const fits = byteLength(whole) <= limits.change;
  const text = fits ? whole : JSON.stringify(shorten(change, limits.change));
  const lines = await cutText(text, limits.slice);
  const truncated = !fits || change.truncated === true;
  return {
    treeId: change.treeId,
    chunks: lines.length,
    bytes: byteLength(text),
    sha256: await sha256Hex(text),
    truncated,
    lines,
  };
}

/** The same change with as much of its patch, in whole files, as fits. */
function shorten(change: SealedChange, limit: number): SealedChange {
  const bare: SealedChange = { ...change, patch: "", truncated: true };
  let left = limit - byteLength(JSON.stringify(bare));
  let end = 0;
  for (const at of fileEnds(change.patch)) {
    // Two quotes are counted in `bare` already.
    left -= byteLength(JSON.stringify(change.patch.slice(end, at))) - 2;
    if (left < 0) break;
    end = at;
  }
  return { ...bare, patch: change.patch.slice(0, end) };
}

/** Where each file of a unified patch ends. */
function fileEnds(patch: string): number[] {
  const starts = [...patch.matchAll(/^diff --git /gm)].map(({ index }) => index);
  return [...starts.filter((at) => at > 0), ...(patch === "" ? [] : [patch.length])];
}

/** The text as lines `{"text": slice}`, each at most `limit` bytes; no character is cut in two. */
async function cutText(text: string, limit: number): Promise<string[]> {
  const lines: string[] = [];
  for (let from = 0; from < text.length; ) {
    let end = wholeEnd(text, from, from + Math.ceil(limit * LIKELY));
    let line = lineOf(text.slice(from, end));
    for (let size = byteLength(line); size > limit && end - from > 2; size = byteLength(line)) {
      end = wholeEnd(text, from, from + Math.floor(((end - from) * limit * LIKELY) / size));
      line = lineOf(text.slice(from, end));
    }
    lines.push(line);
    from = end;
    if (lines.length % AT_ONCE === 0) await othersTurn();
  }
  return lines;
}

/** A long text is not cut in one go: whoever types waits for the same thread. */
const AT_ONCE = 16;
const othersTurn = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve));

/** Of a line, this much is text in most changes; the rest is what quotes and other alphabets take. */
const LIKELY = 0.8;

/** The place at or before `end` where no character is cut in two; at least one character after `from`. */
function wholeEnd(text: string, from: number, end: number): number {
  const at = Math.min(Math.max(end, from + 2), text.length);
  const isCut = at < text.length && /[\ud800-\udbff]/.test(text.charAt(at - 1));
  return isCut ? at - 1 : at;
}

/** A slice as an event of the change's log. */
const lineOf = (slice: string): string => JSON.stringify({ text: slice });

const encoder = new TextEncoder();
const byteLength = (text: string): number => encoder.encode(text).length;
