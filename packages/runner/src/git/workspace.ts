/** Where one session's files and git data lie. Every git call of ours on an agent's tree takes one. */
export interface Workspace {
  sessionId: string;
  /** The person's checkout, as they named it (absolute). */
  repoPath: string;
  /** The repository's common git folder: refs and objects of the person. */
  commonDir: string;
  /** Our own git folder for this session: index, snapshot and trash objects and refs. */
  privateGitDir: string;
  /** Absolute real path of the agent's working tree. */
  worktree: string;
  /** `codehands/<slug>-<id8>`. */
  branch: string;
  baseCommit: string;
}
