/** A heading and two columns. */
export function renderPairs(title: string, pairs: readonly (readonly [string, string])[]): string {
  const wide = Math.max(...pairs.map(([left]) => (left.length > 40 ? 0 : left.length)));
  const lines = pairs.map(([left, right]) =>
    left.length > wide ? `  ${left}\n  ${" ".repeat(wide)}  ${right}` : `  ${left.padEnd(wide)}  ${right}`,
  );
  return `${[title, ...lines].join("\n")}\n`;
}

/** What keeps a person safe, for `codehands help security`. */
export const SECURITY_HELP = `Security
  Worktrees    An agent works in a private worktree. Your own checkout, branches and stashes stay as they are.
  Approval     Nothing reaches a branch of yours before you approve it. approve makes exactly the change you saw one
               commit; a change that came in between is refused (stale_tree).
  Agents       An agent cannot approve itself: commands that decide are refused inside its run (agent_may_not).
  The daemon   It listens on this machine only. The token in daemon.json (readable by you alone) opens it, and it is
               sent only to a daemon that has proved to know it.
  Your screen  Control characters and escape sequences of agents, files and repositories are removed before they are
               shown, and spelled out in a diff.
  Settings     A repository's own settings file can only suggest agent, model, base and language. Its test commands
               count after codehands repos trust.
  Not a jail   An agent runs as you, with your rights. It can read what you can read and run what you can run.
`;
