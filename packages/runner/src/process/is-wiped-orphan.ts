import type { ProcessFacts, ProcessHost } from "./host.ts";
import type { ProcessName } from "./process-types.ts";

/**
 * True for a process that left the run's tree and wiped its environment, and is the agent's all the same: no parent but
 * the system, no HOME or USER in its environment (a person's own programs have them), begun after the run, working in
 * the worktree.
 */
export function isWipedOrphan(o: {
  host: ProcessHost;
  facts: ProcessFacts;
  worktree: string;
  wrapper: ProcessName;
}): boolean {
  const { host, facts, worktree, wrapper } = o;
  if (facts.ppid !== 1 || facts.pid === process.pid) return false;
  // False as well where the start is no number: there nothing says that the process is younger.
  if (!(Number(facts.startTicks) >= Number(wrapper.startTicks))) return false;
  const directory = host.directory(facts.pid);
  if (directory === null || !`${directory}/`.startsWith(`${worktree}/`)) return false;
  const environment = host.environments([facts.pid]).get(facts.pid);
  return environment !== undefined && !/(?:^|\0)(?:HOME|USER|LOGNAME)=/.test(environment);
}
