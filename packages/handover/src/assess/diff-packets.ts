import { canonicalize } from "../hash/canonicalize.ts";
import type { PacketState } from "../packet/packet.ts";
import { readSections } from "./read-sections.ts";

/** What the second checkpoint has over the first. Lists are sets: another order is no change. */
export interface PacketDiff {
  goal_changed: boolean;
  version_delta: number;
  progress_added: string[];
  progress_removed: string[];
  next_steps_added: string[];
  next_steps_removed: string[];
  questions_opened: string[];
  questions_closed: string[];
  /** Paths. */
  artifacts_added: string[];
  artifacts_removed: string[];
  /** Keys that came, went or have another value, sorted. */
  state_keys_changed: string[];
}

/** Compares two packets. It never throws. */
export function diffPackets(a: unknown, b: unknown): PacketDiff {
  const [before, after] = [readSections(a), readSections(b)];
  const paths = [before, after].map(({ artifacts }) => artifacts.map(({ path }) => path));
  const [pathsBefore = [], pathsAfter = []] = paths;
  return {
    goal_changed: before.goal !== after.goal,
    version_delta: (after.version ?? 0) - (before.version ?? 0),
    progress_added: missingIn(before.progress, after.progress),
    progress_removed: missingIn(after.progress, before.progress),
    next_steps_added: missingIn(before.next_steps, after.next_steps),
    next_steps_removed: missingIn(after.next_steps, before.next_steps),
    questions_opened: missingIn(before.open_questions, after.open_questions),
    questions_closed: missingIn(after.open_questions, before.open_questions),
    artifacts_added: missingIn(pathsBefore, pathsAfter),
    artifacts_removed: missingIn(pathsAfter, pathsBefore),
    state_keys_changed: changedKeys(before.state, after.state),
  };
}

function missingIn(known: readonly string[], items: readonly string[]): string[] {
  const seen = new Set(known);
  return [...new Set(items)].filter((item) => !seen.has(item));
}

function changedKeys(before: PacketState, after: PacketState): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => textOf(before, key) !== textOf(after, key)).sort();
}

/** Null for a key that is not there. What has no canonical text differs from nothing but its absence. */
function textOf(state: PacketState, key: string): string | null {
  if (!Object.hasOwn(state, key)) return null;
  try {
    return canonicalize([state[key]]);
  } catch {
    return "";
  }
}
