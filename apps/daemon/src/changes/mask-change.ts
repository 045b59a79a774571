import { setImmediate as nextTurn } from "node:timers/promises";

/** About how much of a patch is looked through before others get their turn. */
const PIECE = 256 * 1024;

/**
 * A patch with everything masked in it that looks like a secret: this copy leaves the device. It is looked through file
 * by file, so that a large one does not hold up the daemon.
 */
export async function maskPatch(patch: string, redact: (text: string) => string): Promise<string> {
  const parts: string[] = [];
  for (const piece of piecesOf(patch)) {
    parts.push(redact(piece));
    await nextTurn();
  }
  return parts.join("");
}

/** Whole files of a unified patch, gathered to pieces of some size. */
function piecesOf(patch: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const { index } of patch.matchAll(/^diff --git /gm)) {
    if (index - from < PIECE) continue;
    pieces.push(patch.slice(from, index));
    from = index;
  }
  if (from < patch.length) pieces.push(patch.slice(from));
  return pieces;
}
