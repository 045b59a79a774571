/** Where things lie below our own folder. Plain strings, so that every part agrees on them. */

export interface HomePaths {
  home: string;
  database: string;
  lock: string;
  /** How to reach the running daemon: port, pid, token. Mode 0600. */
  daemonFile: string;
  config: string;
  /** The secrets of this device. Mode 0600. */
  keys: string;
  logs: string;
  worktrees: string;
  privateGit: string;
  runs: string;
  trash: string;
  memory: string;
  /** The sample repository of a first run. */
  sample: string;
}

/** The paths below one home folder (an absolute path without a trailing slash). */
export function homePaths(home: string): HomePaths {
  return {
    home,
    database: `${home}/state.db`,
    lock: `${home}/daemon.lock`,
    daemonFile: `${home}/daemon.json`,
    config: `${home}/config.json`,
    keys: `${home}/keys.json`,
    logs: `${home}/logs`,
    worktrees: `${home}/worktrees`,
    privateGit: `${home}/git`,
    runs: `${home}/runs`,
    trash: `${home}/trash`,
    memory: `${home}/memory`,
    sample: `${home}/sample/date-bug`,
  };
}
