import { lstat, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { CheckView } from "@codehands/api";
import type { OpenDatabase } from "../database/open-database.ts";
import { listClones } from "../repos/clone-rows.ts";
import { statusOf } from "../sessions/session-rows.ts";
import { found } from "./check.ts";

export interface RegistrationFacts {
  store: OpenDatabase;
  homeId: string;
  worktreeRoot: string;
  fix: boolean;
}

/**
 * Entries of ours in the repositories' lists of worktrees whose folder is gone and whose session is over: git still
 * holds their branch as checked out. With `fix` they are taken off the list. Nothing is touched while the folder of
 * all worktrees is missing: a disk that is not mounted is no reason to forget anything.
 */
export async function checkRegistrations(facts: RegistrationFacts): Promise<CheckView> {
  const title = "worktree lists";
  const stale = (await exists(facts.worktreeRoot)) ? await findStale(facts) : [];
  if (stale.length === 0) return found.ok(["registrations", title], "no stale entry of ours");
  if (!facts.fix) {
    return found.warn(["registrations", title], `${stale.length} stale: ${stale.join(", ")}`, "codehands doctor --fix");
  }
  for (const entry of stale) await rm(entry, { recursive: true, force: true });
  return found.ok(["registrations", title], `removed ${stale.length} stale: ${stale.join(", ")}`);
}

async function findStale({ store, homeId, worktreeRoot }: RegistrationFacts): Promise<string[]> {
  const stale: string[] = [];
  for (const common of new Set(listClones(store).map((clone) => clone.commonDir))) {
    for (const name of await readdir(join(common, "worktrees")).catch(() => [])) {
      const entry = join(common, "worktrees", name);
      const [mark, gitFile] = await Promise.all([readText(join(entry, "locked")), readText(join(entry, "gitdir"))]);
      const [, sessionId = "", owner] = /^codehands:(\S+) home:(\S*)$/.exec(mark) ?? [];
      if (owner !== homeId || !gitFile.startsWith(`${worktreeRoot}/`)) continue;
      const status = statusOf(store, sessionId);
      const isOver = status === undefined || ["approved", "rejected", "failed"].includes(status);
      if (isOver && !(await exists(gitFile.replace(/\/\.git$/, "")))) stale.push(entry);
    }
  }
  return stale;
}

async function readText(file: string): Promise<string> {
  return (await readFile(file, "utf8").catch(() => "")).trim();
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== "ENOENT",
  );
}
