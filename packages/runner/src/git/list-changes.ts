import { type BytePath, splitNul } from "./byte-paths.ts";
import { privatePlace } from "./git-environment.ts";
import { runGit } from "./run-git.ts";
import type { Workspace } from "./workspace.ts";

/** One path that differs between the base and a tree. */
export interface Change {
  status: "A" | "M" | "D" | "R" | "T";
  path: BytePath;
  /** Where a moved file was. */
  oldPath?: BytePath;
  oldId: string;
  newId: string;
  newMode: string;
}

export interface CountedChange extends Change {
  additions: number;
  deletions: number;
  binary: boolean;
}

/** What every comparison of ours says, so that no setting or program of a repository takes part in it. */
export const DIFF_WORDS: readonly string[] = [
  "diff-tree",
  "-r",
  "-M",
  "--full-index",
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--ignore-submodules=all",
];

/** The paths that differ between the base and a tree, in git's order. */
export async function listChanges(ws: Workspace, treeId: string): Promise<Change[]> {
  const args = [...DIFF_WORDS, "-z", "--raw", ws.baseCommit, treeId];
  return parseRaw(splitNul(await runGit({ place: privatePlace(ws), args }))).changes;
}

/** Whether every blob that the changes name can be read. */
export async function hasBlobs(ws: Workspace, changes: readonly Change[]): Promise<boolean> {
  const ids = changes.filter(({ status, newMode }) => status !== "D" && newMode !== "160000").map(({ newId }) => newId);
  if (ids.length === 0) return true;
  const args = ["cat-file", "--batch-check"];
  const answer = await runGit({ place: privatePlace(ws), args, input: `${ids.join("\n")}\n` });
  return !answer.includes(" missing\n");
}

/** `listChanges` with added and removed lines; exact whatever the size. */
export async function countChanges(ws: Workspace, treeId: string): Promise<CountedChange[]> {
  const args = [...DIFF_WORDS, "-z", "--raw", "--numstat", ws.baseCommit, treeId];
  const fields = splitNul(await runGit({ place: privatePlace(ws), args }));
  const { changes, rest } = parseRaw(fields);
  const counts = parseNumstat(rest);
  return changes.map((change) => ({
    ...change,
    ...(counts.get(change.path) ?? { additions: 0, deletions: 0, binary: false }),
  }));
}

/** Parses `--raw -z`; what follows the raw entries is handed back. */
export function parseRaw(fields: readonly string[]): { changes: Change[]; rest: string[] } {
  const changes: Change[] = [];
  let at = 0;
  while (fields[at]?.startsWith(":")) {
    const [, newMode = "", oldId = "", newId = "", score = ""] = fields[at]?.split(" ") ?? [];
    const status = score.slice(0, 1) as Change["status"];
    const first = fields[at + 1] ?? "";
    const isMove = status === "R";
    changes.push({
      status,
      newMode,
      oldId,
      newId,
      path: isMove ? (fields[at + 2] ?? "") : first,
      ...(isMove ? { oldPath: first } : {}),
    });
    at += isMove ? 3 : 2;
  }
  return { changes, rest: fields.slice(at) };
}

/** Parses `--numstat -z` by the path that a file has now. */
export function parseNumstat(
  fields: readonly string[],
): Map<BytePath, { additions: number; deletions: number; binary: boolean }> {
  const counts = new Map<BytePath, { additions: number; deletions: number; binary: boolean }>();
  for (let at = 0; at < fields.length; at += 1) {
    const [added = "", removed = "", ...name] = fields[at]?.split("\t") ?? [];
    const binary = added === "-";
    const count = { additions: binary ? 0 : Number(added), deletions: binary ? 0 : Number(removed), binary };
    const path = name.join("\t");
    if (path !== "") {
      counts.set(path, count);
      continue;
    }
    // A moved file: the old and the new name stand in fields of their own.
    counts.set(fields[at + 2] ?? "", count);
    at += 2;
  }
  return counts;
}
