import { mkdir, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { readMarker } from "./owner-marker.ts";
import { exists, findRegistration } from "./registration.ts";

export interface WorktreeWish {
  worktreeRoot: string;
  repoKey: string;
  sessionId: string;
  homeId: string;
  commonDir: string;
}

/**
 * The folder for a session's worktree: `<root>/<repoKey>/<id8>`, with `-2`, `-3` … when that name is
 * taken by something that is not an empty folder of this very session. Removes nothing. The root
 * is resolved, so that the agent is started at the same real path each time.
 */
export async function chooseWorktree(wish: WorktreeWish): Promise<string> {
  await mkdir(join(wish.worktreeRoot, wish.repoKey), { recursive: true, mode: 0o700 });
  const folder = join(await realpath(wish.worktreeRoot), wish.repoKey);
  const id8 = wish.sessionId.slice(0, 8);
  for (let n = 1; ; n += 1) {
    const path = join(folder, n === 1 ? id8 : `${id8}-${n}`);
    if (await isFree(path, wish)) return path;
  }
}

async function isFree(path: string, wish: WorktreeWish): Promise<boolean> {
  const marker = await readMarker(path);
  const isOurs = marker?.homeId === wish.homeId && marker.sessionId === wish.sessionId;
  if (marker !== null && !isOurs) return false;
  if (await exists(path)) return isOurs && (await isEmptyFolder(path));
  const registration = await findRegistration(wish.commonDir, path);
  return registration === null || registration.owner?.homeId === wish.homeId;
}

async function isEmptyFolder(path: string): Promise<boolean> {
  return readdir(path).then(
    (names) => names.length === 0,
    () => false,
  );
}
