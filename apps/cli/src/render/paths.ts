import { stripToLine } from "../terminal/strip-controls.ts";

/** A path with the person's home folder as `~`, harmless for a terminal. */
export function tildePath(path: string, homeFolder: string): string {
  const clean = stripToLine(path);
  if (homeFolder === "" || homeFolder === "/") return clean;
  if (clean === homeFolder) return "~";
  return clean.startsWith(`${homeFolder}/`) ? `~${clean.slice(homeFolder.length)}` : clean;
}

/** A path as seen from the worktree, harmless for a terminal; others stay as they are. */
export function insideWorktree(path: string, worktree: string | null): string {
  const clean = stripToLine(path);
  return worktree !== null && clean.startsWith(`${worktree}/`) ? clean.slice(worktree.length + 1) : clean;
}
