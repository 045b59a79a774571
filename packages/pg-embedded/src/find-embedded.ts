import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { inspectFolder } from "./claim-folder.ts";
import { secretFile, serverUrl } from "./prepare-cluster.ts";
import { readPostmaster } from "./read-postmaster.ts";

/**
 * What there is on a data folder: no cluster was ever made there; nobody runs its server; a living program runs it, and
 * it takes connections at `url`; or that program (`pid`) is just starting it, just ending it, or has lost it.
 */
export type FoundEmbedded =
  | { state: "absent" }
  | { state: "stopped" }
  /** `url` holds login and password. Never log it. */
  | { state: "running"; url: string }
  | { state: "unsettled"; pid: number };

/**
 * Looks for the server that another program runs on a data folder, to be used beside it. Starts, stops and changes
 * nothing. Throws what the system says when this user may not read the folder.
 */
export function findEmbedded(folder: string): FoundEmbedded {
  const dataDir = resolve(folder);
  const cluster = join(dataDir, "postgres");
  if (statSync(join(cluster, "PG_VERSION"), { throwIfNoEntry: false }) === undefined) return { state: "absent" };
  const { owner, leftover } = inspectFolder(dataDir, cluster);
  if (owner === null) return { state: "stopped" };
  const server = readPostmaster(cluster);
  if (leftover !== "in_use" || !server?.ready) return { state: "unsettled", pid: owner.pid };
  const secret = readFileSync(secretFile(dataDir), "utf8").trim();
  return { state: "running", url: serverUrl(secret, server.port) };
}
