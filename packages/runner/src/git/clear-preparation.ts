import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { emptyHomeOf } from "./git-environment.ts";
import { readMarker, removeMarker } from "./owner-marker.ts";
import { dropRegistration, findRegistration } from "./registration.ts";
import { tryGit } from "./run-git.ts";
import type { WorkspaceRecord } from "./workspace-record.ts";

/**
 * Takes back a workspace that was begun and in which no agent ever ran: the half-written folder,
 * its registration, and the branch while it still points at the base. Touches nothing without our marker.
 */
export async function clearPreparation(privateGitDir: string, record: WorkspaceRecord): Promise<void> {
  if (record.state !== "preparing") return;
  const marker = await readMarker(record.worktree);
  if (marker?.homeId === record.homeId && marker.sessionId === record.sessionId) {
    await rm(record.worktree, { recursive: true, force: true });
    const registration = await findRegistration(record.commonDir, record.worktree);
    if (registration !== null) await dropRegistration(registration);
    await removeMarker(record.worktree);
  }
  const place = { gitDir: record.commonDir, emptyHome: emptyHomeOf(dirname(privateGitDir)) };
  const remove = (ref: string) => tryGit({ place, args: ["update-ref", "--no-deref", "-d", ref, record.base] });
  await remove(`refs/heads/${record.branch}`);
  await remove(`refs/codehands/base/${record.sessionId}`);
}
