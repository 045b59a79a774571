import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionRecord } from "@codehands/contracts";

/**
 * Lands a commit on a branch that is a file: the same tree, message and time give the same commit, and a branch that
 * already holds another one is not moved (null). Every landing that moved a branch is one line of `landed.log`.
 */
export function landCommit(
  dir: string,
  { record, message, at }: { record: SessionRecord; message: string; at: string },
): { branch: string; commit: string; treeId: string } | null {
  const { treeId, branch, sessionId } = record;
  if (treeId === null || branch === null) return null;
  const commit = createHash("sha1").update(`${treeId}\n${message}\n${at}`).digest("hex");
  const file = join(dir, "branches", sessionId);
  mkdirSync(join(dir, "branches"), { recursive: true });
  if (existsSync(file)) return readFileSync(file, "utf8") === commit ? { branch, commit, treeId } : null;
  writeFileSync(file, commit);
  appendFileSync(join(dir, "landed.log"), `${sessionId} ${commit}\n`);
  return { branch, commit, treeId };
}

/** The commits that were landed for a session, in their order. */
export function landedCommits(dir: string, sessionId: string): string[] {
  const file = join(dir, "landed.log");
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.filter((line) => line.startsWith(sessionId)).map((line) => line.split(" ")[1] ?? "");
}
