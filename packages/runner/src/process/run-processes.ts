import { isAlive, type ProcessFacts, type ProcessHost } from "./host.ts";
import { pickHost } from "./pick-host.ts";
import type { ProcessName } from "./process-types.ts";

/** Which run is asked about. Without a process only the marker in the environment tells what belongs to it. */
export interface RunRef {
  process: ProcessName | null;
  runId: string;
}

/** Every living process of a run: the tree and the group of its wrapper, and all that carry its marker. Never us or an ancestor of ours. */
export function runProcesses(run: RunRef): ProcessName[] {
  const host = pickHost();
  const bootId = host.bootId();
  return findRunFacts(host, run).map(({ pid, pgid, startTicks }) => ({ pid, pgid, startTicks, bootId }));
}

/** True while the wrapper or any other process of the run lives. */
export function isRunAlive(run: RunRef): boolean {
  const host = pickHost();
  return livingFacts(host, run.process) !== null || findRunFacts(host, run).length > 0;
}

/** The facts of exactly this process while it lives; null for another that got its number, and after a restart of the machine. */
export function livingFacts(host: ProcessHost, name: ProcessName | null): ProcessFacts | null {
  if (name === null || name.bootId !== host.bootId()) return null;
  const facts = host.look(name.pid);
  return isAlive(facts) && facts.startTicks === name.startTicks ? facts : null;
}

/** As `runProcesses`, with what the system says of each. `known` are further processes whose children count. */
export function findRunFacts(host: ProcessHost, run: RunRef, known: readonly ProcessFacts[] = []): ProcessFacts[] {
  const all = host.list().filter(isAlive);
  const ours = ancestorsOf(all, process.pid);
  const others = all.filter(({ pid }) => !ours.has(pid));
  const wrapper = livingFacts(host, run.process);
  const roots = new Set([...(wrapper === null ? [] : [wrapper]), ...known].map(keyOf));
  for (const facts of others) if (isMarked(host, facts.pid, run.runId)) roots.add(keyOf(facts));
  return addRelatives(others, roots, run.process?.pgid ?? null);
}

/** Names a process within one start of the machine. */
export const keyOf = (facts: { pid: number; startTicks: string }): string => `${facts.pid}/${facts.startTicks}`;

function isMarked(host: ProcessHost, pid: number, runId: string): boolean {
  return `\0${host.environment(pid) ?? ""}`.includes(`\0CODEHANDS_RUN_ID=${runId}\0`);
}

/** Adds children of members, and members of the run's group as long as one of them is known to be ours. */
function addRelatives(all: readonly ProcessFacts[], roots: Set<string>, pgid: number | null): ProcessFacts[] {
  const members = new Map(all.filter((facts) => roots.has(keyOf(facts))).map((facts) => [facts.pid, facts]));
  for (let before = -1; before !== members.size; ) {
    before = members.size;
    const groupIsOurs = [...members.values()].some((facts) => facts.pgid === pgid);
    for (const facts of all) {
      if (members.has(facts.ppid) || (groupIsOurs && facts.pgid === pgid)) members.set(facts.pid, facts);
    }
  }
  return [...members.values()];
}

function ancestorsOf(all: readonly ProcessFacts[], pid: number): Set<number> {
  const parents = new Map(all.map((facts) => [facts.pid, facts.ppid]));
  const found = new Set<number>();
  for (
    let next: number | undefined = pid;
    next !== undefined && next > 0 && !found.has(next);
    next = parents.get(next)
  ) {
    found.add(next);
  }
  return found;
}
