import { execFileSync } from "node:child_process";
import { SERVER_ENVIRONMENT } from "./server-environment.ts";

/** Whom a server may run as when it must not run as root. */
export const NOBODY = 65_534;

/**
 * How the server's programs are started. `self`: as they are. `mapped`: inside a user namespace, where root's own
 * files belong to a plain user. `as`: under another user id, to whom the data folder belongs.
 */
export type ServerUser = { how: "self" } | { how: "mapped" } | { how: "as"; uid: number };

/**
 * Decides it from who we are, whether user namespaces work, and who owns an earlier data folder (null: there is none).
 * PostgreSQL refuses to run as root; a folder that was made under another user stays with that user.
 */
export function planServerUser(found: { uid: number; canMap: boolean; owner: number | null }): ServerUser {
  if (found.uid !== 0) return { how: "self" };
  if (found.owner !== null && found.owner !== 0) return { how: "as", uid: found.owner };
  return found.canMap ? { how: "mapped" } : { how: "as", uid: NOBODY };
}

const MAP = ["--user", `--map-user=${NOBODY}`, `--map-group=${NOBODY}`];

/** True when a program can be started as a mapped user here. Containers often forbid it. */
export function canMapUser(): boolean {
  try {
    execFileSync("unshare", [...MAP, "true"], { env: SERVER_ENVIRONMENT, stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** The program, its arguments and the user id to spawn it under. `unshare` becomes the program, so its pid is the program's. */
export function asServerUser(user: ServerUser, program: string, args: readonly string[]) {
  if (user.how === "mapped") return { program: "unshare", args: [...MAP, program, ...args], identity: {} };
  return { program, args: [...args], identity: user.how === "as" ? { uid: user.uid, gid: user.uid } : {} };
}
