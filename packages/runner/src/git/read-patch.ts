import { isUtf8 } from "node:buffer";
import { type GitPlace, privatePlace } from "./git-environment.ts";
import { type Change, DIFF_WORDS } from "./list-changes.ts";
import { type PatchLine, patchLines } from "./patch-lines.ts";
import { rawViewOf } from "./private-git-dir.ts";
import { streamGit } from "./run-git.ts";
import { AddedLines, type SecretPlace } from "./scan-added.ts";
import type { Workspace } from "./workspace.ts";

/** A patch longer than this is cut after a whole file. */
export const PATCH_CAP_BYTES = 50 * 1024 ** 2;

export interface Patch {
  text: string;
  secrets: SecretPlace[];
  /** True when whole files were left out of the text. */
  truncated: boolean;
}

export interface PatchRequest {
  treeId: string;
  changes: readonly Change[];
  /** Bytes of text to keep; 0 for a caller that wants the secrets alone. */
  cap: number;
}

const NOT_TEXT = Symbol("not UTF-8");
/** A file's part of the patch: kept text, null when over the cap, `NOT_TEXT` when it is no UTF-8 text. */
type Part = string | null | typeof NOT_TEXT;

/**
 * Reads the patch from the base to a tree as a stream: keeps whole files up to the cap and looks
 * at the added lines of all of them. Text that is not UTF-8 comes as git's binary patch, so that
 * the string still applies.
 */
export async function readPatch(ws: Workspace, o: PatchRequest): Promise<Patch> {
  // A path that changed its kind has two parts: the old one deleted, the new one made.
  const owners = o.changes.flatMap((change) => (change.status === "T" ? [change, change] : [change]));
  const added = new AddedLines();
  const keeper = new PartKeeper(o.cap, () => true);
  for await (const line of patchOf(ws, { place: privatePlace(ws), treeId: o.treeId })) {
    keeper.take(line);
    if (line.kind === "file") added.file(owners[keeper.at]?.path ?? "");
    else if (line.kind === "added") added.add(line);
  }
  added.flush();
  const parts = keeper.end();
  if (parts.includes(NOT_TEXT)) await fillBinary(ws, o.treeId, { parts, owners, left: keeper.left });
  return {
    text: parts.filter((part) => typeof part === "string").join(""),
    secrets: added.found,
    truncated: parts.includes(null),
  };
}

/** Replaces the parts that are no UTF-8 text by git's binary form of the same files. */
async function fillBinary(
  ws: Workspace,
  treeId: string,
  { parts, owners, left }: { parts: Part[]; owners: readonly Change[]; left: number },
): Promise<void> {
  const wanted = new Set(owners.filter((_, at) => parts[at] === NOT_TEXT));
  const keeper = new PartKeeper(left, (at) => wanted.has(owners[at] as Change));
  const place = { ...privatePlace(ws), gitDir: rawViewOf(ws.privateGitDir) };
  for await (const line of patchOf(ws, { place, treeId })) keeper.take(line);
  for (const [at, part] of keeper.end().entries()) {
    if (wanted.has(owners[at] as Change)) parts[at] = part;
  }
}

function patchOf(ws: Workspace, o: { place: GitPlace; treeId: string }): AsyncGenerator<PatchLine> {
  const args = [...DIFF_WORDS, "-p", "--binary", ws.baseCommit, o.treeId];
  return patchLines(streamGit({ place: o.place, args }));
}

/** Keeps the wanted files' parts of a patch as text, up to a number of bytes. */
class PartKeeper {
  left: number;
  /** Number of the file that is being read. */
  at = -1;
  #wants: (at: number) => boolean;
  #parts: Part[] = [];
  #open: Buffer[] | null = null;
  #bytes = 0;

  constructor(cap: number, wants: (at: number) => boolean) {
    this.left = cap;
    this.#wants = wants;
  }

  take(line: PatchLine): void {
    if (line.kind === "file") {
      this.#close();
      this.at += 1;
      this.#open = this.#wants(this.at) ? [] : null;
      this.#bytes = 0;
    }
    this.#bytes += line.bytes.length;
    if (this.#bytes > this.left) this.#open = null;
    this.#open?.push(line.bytes);
  }

  end(): Part[] {
    this.#close();
    this.at += 1;
    return this.#parts;
  }

  #close(): void {
    if (this.at < 0 || this.#parts.length > this.at) return;
    const bytes = this.#open === null ? null : Buffer.concat(this.#open);
    this.#open = null;
    if (bytes === null) this.#parts.push(null);
    else if (!isUtf8(bytes)) this.#parts.push(NOT_TEXT);
    else {
      this.left -= bytes.length;
      this.#parts.push(bytes.toString("utf8"));
    }
  }
}
