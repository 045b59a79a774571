import { dirname, join } from "node:path";
import { ownEnvironment } from "../config.ts";
import type { Workspace } from "./workspace.ts";

/** Which git folder a call of ours works on, and what it may see beside it. */
export interface GitPlace {
  gitDir: string;
  /** The empty folder that stands in for HOME. */
  emptyHome: string;
  workTree?: string;
  index?: string;
  /** Another object folder that is read, never written. */
  alternateObjects?: string;
}

/** Settings that no configuration file of a repository can take back. */
const HARDENING = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "safe.bareRepository=explicit",
  "protocol.allow=never",
  "gc.auto=0",
  "maintenance.auto=false",
  "core.untrackedCache=false",
  "core.splitIndex=false",
  "core.safecrlf=false",
  "commit.gpgSign=false",
  "submodule.recurse=false",
  "diff.ignoreSubmodules=all",
  "core.alternateRefsCommand=",
  "core.filesRefLockTimeout=5000",
  "core.packedRefsTimeout=5000",
  "worktree.useRelativePaths=false",
  "init.defaultBranch=none",
] as const;

/** The `-c` words that stand before every git command of ours. */
export const HARDENED_WORDS: readonly string[] = HARDENING.flatMap((setting) => ["-c", setting]);

/** Makes git write objects and refs through to the disk; older gits do not know these and pass over them. */
export const DURABLE_WORDS: readonly string[] = [
  "-c",
  "core.fsync=committed,loose-object,reference",
  "-c",
  "core.fsyncMethod=batch",
];

/** What an environment must say so that git reads nothing outside the named folders and starts nothing. */
const CLOSED = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "/bin/false",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_LAZY_FETCH: "1",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_LITERAL_PATHSPECS: "1",
  LC_ALL: "C",
};

/** The whole environment of one git call: nothing of ours leaks in but PATH. */
export function gitEnvironment(place: GitPlace): Record<string, string> {
  const env: Record<string, string> = {
    ...CLOSED,
    PATH: ownEnvironment()["PATH"] ?? "/usr/local/bin:/usr/bin:/bin",
    HOME: place.emptyHome,
    XDG_CONFIG_HOME: place.emptyHome,
    GIT_DIR: place.gitDir,
  };
  if (place.workTree !== undefined) env["GIT_WORK_TREE"] = place.workTree;
  if (place.index !== undefined) env["GIT_INDEX_FILE"] = place.index;
  if (place.alternateObjects !== undefined) env["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = quoted(place.alternateObjects);
  return env;
}

/** Quoted, because an unquoted colon would end the path. */
function quoted(path: string): string {
  return `"${path.replace(/[\\"]/g, (mark) => `\\${mark}`)}"`;
}

/** The stand-in for HOME, in the folder that holds our private git folders. */
export function emptyHomeOf(privateGitRoot: string): string {
  return join(privateGitRoot, "empty-home");
}

/** The person's repository: refs, worktree registrations and incoming objects only, never with a work tree. */
export function commonPlace(ws: Workspace): GitPlace {
  return { gitDir: ws.commonDir, emptyHome: emptyHomeOf(dirname(ws.privateGitDir)) };
}

/** Our private git folder over the person's objects, without a work tree: no attribute file of the tree counts. */
export function privatePlace(ws: Workspace): GitPlace {
  return {
    gitDir: ws.privateGitDir,
    emptyHome: emptyHomeOf(dirname(ws.privateGitDir)),
    alternateObjects: join(ws.commonDir, "objects"),
  };
}

/** Our private git folder with the agent's tree and one index of ours. */
export function treePlace(ws: Workspace, index: string = indexOf(ws)): GitPlace {
  return { ...privatePlace(ws), workTree: ws.worktree, index };
}

/** The session's own index. */
export function indexOf(ws: Workspace): string {
  return join(ws.privateGitDir, "index");
}

/** The index as it was before the agent started. */
export function baseIndexOf(ws: Workspace): string {
  return join(ws.privateGitDir, "index.base");
}
