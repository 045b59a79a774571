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

export interface RunSearch {
  /** Further processes that belong to the run, whose children count. */
  known?: readonly ProcessFacts[];
  /** Called for a process with the run's marker before the search goes on. */
  onMarked?: (facts: ProcessFacts) => void;
}

/**
 * As `runProcesses`, with what the system says of each. That none
 * is found is certain, also against a process that forks and ends faster than a look at all processes takes: what is
 * new is looked at again and again until a listing holds nothing new.
 */
export function findRunFacts(host: ProcessHost, run: RunRef, search: RunSearch = {}): ProcessFacts[] {
  const ours = ancestorsOf(host, process.pid);
  const roots = new Set(search.known?.map(keyOf));
  const wrapper = livingFacts(host, run.process);
  if (wrapper !== null) roots.add(keyOf(wrapper));
  const all = new Map<number, ProcessFacts>();
  for (let fresh = host.list(new Set()); fresh.length > 0; fresh = host.list(new Set(all.keys()))) {
    for (const facts of fresh) all.set(facts.pid, facts);
    const others = fresh.filter((facts) => isAlive(facts) && !ours.has(facts.pid));
    const environments = host.environments(others.map(({ pid }) => pid));
    for (const facts of others) {
      if (!isMarked(environments.get(facts.pid), run.runId)) continue;
      roots.add(keyOf(facts));
      search.onMarked?.(facts);
    }
  }
  const others = [...all.values()].filter((facts) => isAlive(facts) && !ours.has(facts.pid));
  return addRelatives(others, roots, run.process?.pgid ?? null);
}

/** Names a process within one start of the machine. */
export const keyOf = (facts: { pid: number; startTicks: string }): string => `${facts.pid}/${facts.startTicks}`;

function isMarked(environment: string | undefined, runId: string): boolean {
  return `\0${environment ?? ""}`.includes(`\0CODEHANDS_RUN_ID=${runId}\0`);
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

function ancestorsOf(host: ProcessHost, pid: number): Set<number> {
  const found = new Set<number>();
  for (let next: number | undefined = pid; next !== undefined && !found.has(next); next = host.look(next)?.ppid) {
    found.add(next);
  }
  return found;
}
