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
  const lines = cutText(text, limits.slice);
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
function cutText(text: string, limit: number): string[] {
  const frame = byteLength(lineOf(""));
  const lines: string[] = [];
  let from = 0;
  let size = frame;
  let at = 0;
  for (const char of text) {
    const width = widthInJson(char);
    if (size + width > limit && at > from) {
      lines.push(lineOf(text.slice(from, at)));
      from = at;
      size = frame;
    }
    size += width;
    at += char.length;
  }
  if (at > from) lines.push(lineOf(text.slice(from)));
  return lines;
}

/** A slice as an event of the change's log. */
const lineOf = (slice: string): string => JSON.stringify({ text: slice });

/** How many bytes a character of a JSON text takes inside another JSON text. */
function widthInJson(char: string): number {
  const code = char.codePointAt(0) ?? 0;
  if (char === '"' || char === "\\") return 2;
  // Control characters stand escaped in a JSON text, so none comes here unescaped; lone halves are escaped anew.
  if (code < 0x20 || (code >= 0xd800 && code <= 0xdfff)) return 6;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x1_0000 ? 3 : 4;
}

const encoder = new TextEncoder();
const byteLength = (text: string): number => encoder.encode(text).length;
