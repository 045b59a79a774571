import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join, relative } from "node:path";

/** Parts of a repository that a session may add to: objects, its own branch, its worktree entry, its pinned base. */
const OURS =
  /^\.git\/(objects\/|worktrees(\/|$)|refs\/heads\/codehands(\/|$)|refs\/codehands(\/|$)|logs\/refs\/heads\/codehands(\/|$))/;

/** Every file of a checkout with mode and content hash, but for what a session may add. */
export function fingerprintCheckout(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (folder: string) => {
    for (const entry of readdirSync(folder)) {
      const path = join(folder, entry);
      const name = relative(root, path);
      if (OURS.test(name)) continue;
      const stat = lstatSync(path);
      if (stat.isDirectory()) {
        found[`${name}/`] = (stat.mode & 0o7777).toString(8);
        walk(path);
      } else {
        const content = stat.isSymbolicLink() ? readlinkSync(path) : readFileSync(path);
        found[name] = `${stat.mode.toString(8)} ${createHash("sha256").update(content).digest("hex")}`;
      }
    }
  };
  walk(root);
  return found;
}
