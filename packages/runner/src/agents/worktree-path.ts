import { isAbsolute, relative, resolve } from "node:path";

/** A path as an event shows it: below the worktree relative to it, elsewhere absolute and marked `outside`. */
export function worktreePath(cwd: string, path: string): { path: string; outside: boolean } {
  const absolute = resolve(cwd, path);
  const below = relative(cwd, absolute);
  const outside = below === ".." || below.startsWith("../") || isAbsolute(below);
  return { path: outside ? absolute : below === "" ? "." : below, outside };
}
