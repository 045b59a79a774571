import { decideOutcome, type OutcomeDecision } from "../commands/decide-outcome.ts";
import { judgeLog, type LogJudgement } from "../logs/judge-log.ts";
import { hasUnsent } from "../logs/rechain-unsent.ts";
import type { CommandView, LogView, Need, View } from "../ports/store.ts";
import { isSendable, type PushPlan, planPush } from "../push/plan-push.ts";
import type { ProcessMemory } from "./process-memory.ts";

/** One local decision that needs no message. */
export type Settlement =
  | { do: "log"; log: LogView; judgement: Exclude<LogJudgement, { do: "nothing" | "push" | "delete" | "segments" }> }
  | { do: "rechain"; log: LogView }
  | { do: "outcome"; command: CommandView; decision: Exclude<OutcomeDecision, { do: "nothing" }> };

export type NextRequest =
  | { do: "hello" }
  | { do: "pull" }
  | { do: "segments"; log: LogView; after: number }
  | { do: "push"; plan: PushPlan }
  | { do: "compact"; streamId: string; from: number; to: number }
  /** A person has to act: the device was removed, or another copy of it lives. */
  | { do: "stop"; why: "revoked" | "copy" }
  | { do: "wait" };

/** What both plans look at. */
export const PLAN_NEED: Need = { dirty: 1_000, unsettled: true, commands: true };

/** Decisions are made at head only, so that the newest rows are judged. */
export function mayDecide({ state }: View, memory: ProcessMemory): boolean {
  return !state.revoked && !state.copy && !state.reset && memory.hello && memory.atHead;
}

/** T3 and T5: the next thing that this device can decide alone. */
export function planSettlement(view: View, memory: ProcessMemory): Settlement | null {
  const { state } = view;
  if (!mayDecide(view, memory)) return null;
  for (const log of view.logs.values()) {
    const judgement = judgeLog(log, state.deviceId);
    if (judgement.do === "nothing" || judgement.do === "push" || judgement.do === "delete") continue;
    if (judgement.do !== "segments") return { do: "log", log, judgement };
  }
  for (const log of memory.rechained ? view.logs.values() : [])
    if (!memory.rechained?.has(log.streamId) && hasUnsent(log, state.deviceId)) return { do: "rechain", log };
  const context = { deviceId: state.deviceId, boot: memory.boot, cursor: state.cursor, now: memory.now };
  for (const command of view.commands) {
    const decision = decideOutcome(command, context);
    if (decision.do !== "nothing") return { do: "outcome", command, decision };
  }
  return null;
}

/** Table T2: what to send next. */
export function planNext(view: View, memory: ProcessMemory): NextRequest {
  const { state } = view;
  if (state.revoked) return { do: "stop", why: "revoked" };
  if (state.copy) return { do: "stop", why: "copy" };
  if (!memory.hello) return { do: "hello" };
  if (!memory.atHead || state.reset) return { do: "pull" };
  for (const log of view.logs.values())
    if (judgeLog(log, state.deviceId).do === "segments") {
      const near = Math.min(log.lastSeq, Math.max(0, (log.row?.lastSeq ?? 0) - 1));
      return { do: "segments", log, after: memory.probe.get(log.streamId) ?? near };
    }
  const plan = planPush(view, memory.push);
  if (plan) return { do: "push", plan };
  const compaction = memory.compactions[0];
  return compaction ? { do: "compact", ...compaction } : { do: "wait" };
}

/** How much waits to be sent, as a person is told it. */
export function countPending(view: View): { events: number; records: number } {
  const { deviceId } = view.state;
  const own = [...view.logs.values()].filter((log) => log.writer === deviceId && !log.dead);
  const events = own.reduce((sum, log) => sum + log.lastSeq - log.pushedSeq + log.waiting, 0);
  return { events, records: [...view.records.values()].filter((record) => isSendable(record, deviceId)).length };
}
