import type { SessionView } from "@codehands/api";
import { isRecord, readJson } from "../database/read-json.ts";

/** How often the record of a running session may be written for what is not its status, milliseconds. */
const PACE_MS = 1_000;

export interface RecordScene {
  view: SessionView;
  /** The record's body as it is held; null when there is none. */
  told: string | null;
  /** The last event with a chain value. */
  chainedSeq: number;
  /** The chain value at a seq; null where there is none. It changes when the key did before the event was sent (V12). */
  macAt: (seq: number) => string | null;
  /** When the record was written last in this process, and now: milliseconds of one steady clock. */
  writtenAt: number;
  now: number;
}

export type RecordPlan = { do: "write" } | { do: "nothing"; settled: boolean } | { do: "later"; ms: number };

/** The body of a session's record: how its owner sees it, and the chain value at its last chained event (V21). */
export function sessionBody(view: SessionView, log: { lastSeq: number; tailMac: string }): string {
  return JSON.stringify({ ...view, lastSeq: log.lastSeq, tailMac: log.lastSeq === 0 ? "" : log.tailMac });
}

/**
 * Whether a session's record is written now. Events alone do not move it while it runs; a change of status always does,
 * other changes of a running one once a second, and at rest it names the very last event.
 */
export function planSessionRecord({ view, told, chainedSeq, macAt, writtenAt, now }: RecordScene): RecordPlan {
  const isRunning = view.status === "running";
  // A status stands in the record together with the event that brought it.
  if (!isRunning && chainedSeq < view.lastSeq) return { do: "nothing", settled: false };
  const json = readJson(told);
  if (told === null || !json.ok || !isRecord(json.value)) return { do: "write" };
  const before = json.value;
  if (before.status !== view.status) return { do: "write" };
  const isChainedAnew =
    typeof before.lastSeq === "number" && before.lastSeq > 0 && before.tailMac !== macAt(before.lastSeq);
  const differs =
    isChainedAnew ||
    Object.entries(view).some(
      ([key, value]) => key !== "lastSeq" && key !== "rev" && JSON.stringify(value) !== JSON.stringify(before[key]),
    );
  if (!isRunning) return differs || before.lastSeq !== chainedSeq ? { do: "write" } : { do: "nothing", settled: true };
  if (!differs) return { do: "nothing", settled: false };
  const wait = writtenAt + PACE_MS - now;
  return wait <= 0 ? { do: "write" } : { do: "later", ms: wait };
}
