import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { RunnerError } from "../runner-error.ts";
import type { BytePath } from "./byte-paths.ts";
import type { Identity } from "./read-person-config.ts";
import type { Workspace } from "./workspace.ts";
import { writeDurable } from "./write-durable.ts";

/** What we know of a workspace from before its agent ran. Lies in the private git folder, out of the tree. */
export interface WorkspaceRecord {
  version: 1;
  /** `preparing` until the files are checked out: no agent has run before that. */
  state: "preparing" | "ready";
  homeId: string;
  /** The session that made it; later sessions of a chain use it too. */
  sessionId: string;
  repoPath: string;
  repoKey: string;
  commonDir: string;
  worktree: string;
  branch: string;
  base: string;
  baseRef: string | null;
  identity: Identity;
  /** Number of paths in the base tree. */
  basePaths: number;
  /** Submodules of the base. */
  gitlinks: BytePath[];
  /** The repository's configuration and hooks before the agent. */
  fingerprint: Record<string, string>;
}

/** The folder for our own files inside a private git folder. */
export function recordFolder(privateGitDir: string): string {
  return join(privateGitDir, "codehands");
}

/** The id of the session that made the workspace: it names the private git folder, base pin and markers. */
export function originOf(ws: Workspace): string {
  return basename(ws.privateGitDir);
}

/** The record of a private git folder, or null when there is none. */
export async function findRecord(privateGitDir: string): Promise<WorkspaceRecord | null> {
  try {
    return JSON.parse(await readFile(join(recordFolder(privateGitDir), "workspace.json"), "utf8")) as WorkspaceRecord;
  } catch {
    return null;
  }
}

/** The record of a workspace that was prepared. Throws `worktree_missing` when its private git folder is gone. */
export async function readRecord(ws: Workspace): Promise<WorkspaceRecord> {
  const record = await findRecord(ws.privateGitDir);
  if (record !== null && record.state === "ready") return record;
  throw new RunnerError(
    "worktree_missing",
    `The session's own git folder ${ws.privateGitDir} is missing or damaged, so its files cannot be read safely. Nothing was changed.`,
  );
}

/** Stores the record durably. */
export async function writeRecord(privateGitDir: string, record: WorkspaceRecord): Promise<void> {
  await writeDurable(join(recordFolder(privateGitDir), "workspace.json"), JSON.stringify(record));
}
