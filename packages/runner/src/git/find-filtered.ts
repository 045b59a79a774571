import { type BytePath, joinNul, splitNul } from "./byte-paths.ts";
import { baseIndexOf, privatePlace } from "./git-environment.ts";
import type { Change } from "./list-changes.ts";
import { exists } from "./registration.ts";
import { runGit } from "./run-git.ts";
import type { Workspace } from "./workspace.ts";

const POINTER_START = "version https://git-lfs.github.com/spec/v1\n";
const POINTER_MAX_BYTES = 1024;

/**
 * Changed paths whose attributes name a filter, by the rules of the base or of the tree. No filter
 * ever runs here, so such a file would be committed as it lies (a decrypted secret, a file that
 * belongs in LFS). An LFS pointer is what a commit should hold, so it passes.
 */
export async function findFiltered(
  ws: Workspace,
  o: { changes: readonly Change[]; index: string },
): Promise<BytePath[]> {
  const written = o.changes.filter((change) => change.status !== "D");
  if (written.length === 0) return [];
  const filters = new Map<BytePath, string>();
  for (const index of [o.index, baseIndexOf(ws)]) {
    if (!(await exists(index))) continue;
    for (const [path, filter] of await attribute(ws, {
      name: "filter",
      paths: written.map((change) => change.path),
      index,
    })) {
      filters.set(path, filter);
    }
  }
  const named = written.filter(({ path }) => filters.has(path));
  const pointers = await findPointers(
    ws,
    named.filter(({ path }) => filters.get(path) === "lfs"),
  );
  return named.filter((change) => !pointers.has(change)).map(({ path }) => path);
}

/** The values of one attribute by the attribute files that an index holds; unset ones are left out. */
export async function attribute(
  ws: Workspace,
  o: { name: string; paths: readonly BytePath[]; index: string },
): Promise<Map<BytePath, string>> {
  const output = await runGit({
    place: { ...privatePlace(ws), index: o.index },
    args: ["check-attr", "--cached", "-z", "--stdin", o.name],
    input: joinNul(o.paths),
  });
  const fields = splitNul(output);
  const values = new Map<BytePath, string>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const value = fields[at + 2] ?? "";
    if (value !== "unspecified" && value !== "unset") values.set(fields[at] ?? "", value);
  }
  return values;
}

async function findPointers(ws: Workspace, changes: readonly Change[]): Promise<Set<Change>> {
  const pointers = new Set<Change>();
  for (const change of changes) {
    const [size] = await blobSizes(ws, [change.newId]);
    if (size === undefined || size > POINTER_MAX_BYTES) continue;
    const blob = await runGit({ place: privatePlace(ws), args: ["cat-file", "blob", change.newId] });
    if (blob.toString("latin1").startsWith(POINTER_START)) pointers.add(change);
  }
  return pointers;
}

/** Sizes of blobs in bytes, in order; 0 for one that is not here (a submodule's commit). */
export async function blobSizes(ws: Workspace, ids: readonly string[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const output = await runGit({
    place: privatePlace(ws),
    args: ["cat-file", "--batch-check=%(objectsize)"],
    input: `${ids.join("\n")}\n`,
  });
  return output
    .toString("latin1")
    .trimEnd()
    .split("\n")
    .map((line) => (/^\d+$/.test(line) ? Number(line) : 0));
}
