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
  The cloud    It stores and carries everything sealed: no name, prompt, event, code or diff can be read or forged
               there. It sees your e-mail, addresses and times, the ids and public keys of devices, and the number and
               size of what is stored. It can withhold, delay or delete, and your devices notice: codehands sync status.
  Keys         They are made on each device and never leave it. A password opens the account's pages, no data. When
               every device is lost, the recovery code is the only way back; nobody can make it again.
  Devices      A new device is let in by one that is in, by six digits that a person reads there and types here.
               codehands devices verify on two devices shows the same symbols when the cloud shows both the same list.
               A removed device reads nothing that is written afterwards; what it had, it keeps.
  Commands     Another device's command is obeyed when it is signed by a member that may, and fits the session as it
               was seen there. commands.from: native refuses those of browsers, none refuses all.
  Web pages    A page that the cloud serves can do whatever its device may do, while it is open. So a browser may
               command and read, but not let devices in. This program and the page of your own daemon do not depend on
               the cloud's script.
  Not a jail   An agent runs as you, with your rights. It can read what you can read and run what you can run.
`;
