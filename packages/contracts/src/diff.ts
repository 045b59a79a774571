/** What a review of a session needs. */

export interface DiffFile {
  path: string;
  oldPath?: string;
  status: "A" | "M" | "D" | "R" | "T";
  additions: number;
  deletions: number;
  binary: boolean;
  generated: boolean;
  bytes: number;
}

/** What a review needs. */
export interface Diff {
  /** A unified patch that `git apply` takes. Never rewritten. */
  patch: string;
  stat: string;
  treeId: string;
  files: DiffFile[];
  /** Ignored paths: not part of the change. */
  ignored: string[];
  /** Nested repositories: their files are not part of the change. */
  nested: string[];
  secrets: { path: string; line: number; rule: string }[];
  /** What the agent changed in the repository's git configuration and hooks. */
  configChanged: string[];
  /** The patch was cut after a whole file; `files` and `stat` are exact all the same. */
  truncated?: true;
  /** The worktree is gone: this is the pinned snapshot. */
  fromSnapshot?: true;
  /** Fifos, sockets, devices, unreadable files and names that git cannot hold: not part of the change. */
  special?: string[];
  /** Files over 50 MB: part of the change only when the person allows it. */
  large?: { path: string; bytes: number }[];
  /** Changed paths that a git filter of the repository would rewrite: approve refuses them. */
  filtered?: string[];
}
