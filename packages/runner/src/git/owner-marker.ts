import { rm } from "node:fs/promises";
import { readSmallFile } from "./read-small-file.ts";
import { writeDurable } from "./write-durable.ts";

/** Who made a worktree folder. Lies beside the folder, so that it is no part of the agent's tree. */
export interface OwnerMarker {
  homeId: string;
  sessionId: string;
  privateGitDir: string;
}

/** Where the marker of a worktree folder lies. */
export function markerPath(worktree: string): string {
  return `${worktree}.owner.json`;
}

/** The marker of a worktree folder; null when there is none, so the folder is not ours. */
export async function readMarker(worktree: string): Promise<OwnerMarker | null> {
  const bytes = await readSmallFile(markerPath(worktree));
  if (bytes === null) return null;
  try {
    const marker = JSON.parse(bytes.toString("utf8")) as Partial<OwnerMarker> | null;
    const { homeId, sessionId, privateGitDir } = marker ?? {};
    if (typeof homeId !== "string" || typeof sessionId !== "string" || typeof privateGitDir !== "string") return null;
    return { homeId, sessionId, privateGitDir };
  } catch {
    return null;
  }
}

/** Marks a worktree folder as made by one session of one home. */
export async function writeMarker(worktree: string, marker: OwnerMarker): Promise<void> {
  await writeDurable(markerPath(worktree), JSON.stringify(marker));
}

/** Takes the marker away once the folder has left its place. */
export async function removeMarker(worktree: string): Promise<void> {
  await rm(markerPath(worktree), { force: true });
}
