import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EmbeddedError } from "./embedded-error.ts";
import { processBirth, processCommand } from "./identify-process.ts";
import { postmasterFile, readPostmaster } from "./read-postmaster.ts";
import { stopServer } from "./stop-server.ts";

/** What to do with what an earlier start left in a data folder. */
export type Leftover = "none" | "stale" | "orphan" | "in_use";

/**
 * Decides it: a pid file whose process is gone or is something else is stale; a server whose parent is gone is an
 * orphan; a server whose parent lives is in use.
 */
export function judgeLeftover(found: { pid: number | null; isServer: boolean; parentLives: boolean }): Leftover {
  if (found.pid === null) return "none";
  if (!found.isServer) return "stale";
  return found.parentLives ? "in_use" : "orphan";
}

const ownerFile = (dataDir: string): string => join(dataDir, "owner.json");

/** What lies in a data folder now. */
export interface FolderState {
  /** Of the server that the pid file names; the process may be gone or another one. */
  pid: number | null;
  /** The living process that runs the server, or is about to; null without one. */
  owner: { pid: number } | null;
  leftover: Leftover;
}

/** Looks at what an earlier start left in a data folder, or a start of now is making there. Changes nothing. */
export function inspectFolder(dataDir: string, cluster: string): FolderState {
  const pid = readPostmaster(cluster)?.pid ?? null;
  const written = readOwner(dataDir);
  const owner = written !== null && processBirth(written.pid) === written.born ? written : null;
  const isServer = pid !== null && processCommand(pid).includes(cluster);
  return { pid, owner, leftover: judgeLeftover({ pid, isServer, parentLives: owner !== null }) };
}

/**
 * Makes the data folder free for a new server: removes a stale pid file, stops the server of a crashed parent. Throws
 * `in_use` when another living process runs its server there.
 */
export async function claimFolder(dataDir: string, cluster: string): Promise<void> {
  const { pid, owner, leftover } = inspectFolder(dataDir, cluster);
  if (leftover === "in_use") {
    throw new EmbeddedError(
      "in_use",
      `${dataDir} is in use by process ${owner?.pid}. Nothing was changed. Stop that program first, or name another data folder.`,
    );
  }
  // PostgreSQL refuses to start while the pid in its file belongs to any process at all.
  if (leftover === "stale") rmSync(postmasterFile(cluster), { force: true });
  if (leftover === "orphan" && pid !== null) await stopServer(pid);
}

/** Writes down that this process runs the server, so that a later start can tell an orphan from one in use. */
export function writeOwner(dataDir: string): void {
  const draft = `${ownerFile(dataDir)}.${process.pid}`;
  writeFileSync(draft, JSON.stringify({ pid: process.pid, born: processBirth(process.pid) }), { mode: 0o600 });
  renameSync(draft, ownerFile(dataDir));
}

/** Takes that back. */
export function removeOwner(dataDir: string): void {
  rmSync(ownerFile(dataDir), { force: true });
}

function readOwner(dataDir: string): { pid: number; born: string | null } | null {
  try {
    const { pid, born } = JSON.parse(readFileSync(ownerFile(dataDir), "utf8")) as Record<string, unknown>;
    return typeof pid === "number" && typeof born === "string" ? { pid, born } : null;
  } catch {
    return null;
  }
}
