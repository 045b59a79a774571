import {
  type AgentKind,
  canTransition,
  END_REASONS,
  type EndReason,
  PROVIDER_STATES,
  type ProviderState,
  type SessionStatus,
  type Usage,
} from "@codehands/contracts";
import { toJson } from "../database/read-json.ts";
import { parseDiffStat } from "./parse-diff-stat.ts";
import { addUsage, readUsage } from "./read-usage.ts";
import type { SessionChange } from "./session-rows.ts";

/** What a session is before an event. */
export interface FoldSubject {
  status: SessionStatus;
  agent: string;
  startedAt: string | null;
  usage: Usage | null;
}

/** An event as far as the fold looks at it. Its type may be one of a newer version. */
export interface FoldableEvent {
  seq: number;
  type: string;
  at: string;
  payload: Record<string, unknown>;
}

export interface ProviderNews {
  agent: AgentKind;
  state: ProviderState | "ok";
  retryAt: string | null;
  detail: string;
  at: string;
}

export type Fold =
  /** `to` is the status after the event when it moves, and null when it stays. */
  | { ok: true; to: SessionStatus | null; change: SessionChange; provider: ProviderNews | null; usage: Usage | null }
  | { ok: false; code: "illegal_move"; reason: string };

/** The status that an event brings a session to; null when it moves nothing. */
export function targetOf(type: string): SessionStatus | null {
  switch (type) {
    case "task.started":
      return "running";
    case "task.finished":
      return "awaiting_approval";
    case "task.failed":
      return "failed";
    case "task.stopped":
      return "stopped";
    default:
      return null;
  }
}

/** The whole rule of how one event changes a session's row. Unknown types and payloads change nothing. */
export function foldEvent(before: FoldSubject, event: FoldableEvent): Fold {
  const target = targetOf(event.type);
  const stays = target === null || (target === "running" && before.status === "running");
  if (!stays && !canTransition(before.status, target)) {
    const reason = `Event ${event.seq} (${event.type}) cannot move a session that is ${before.status}.`;
    return { ok: false, code: "illegal_move", reason };
  }
  const fold = { ok: true, to: stays ? null : target, change: {}, provider: null, usage: before.usage } as const;
  const { payload } = event;
  switch (event.type) {
    case "task.started":
      return { ...fold, change: startedChange(before, event) };
    case "task.finished": {
      const usage = addUsage(before.usage, readUsage(payload.usage));
      const change = { ...finishedChange(event), usage: toJson(usage) };
      return { ...fold, change, usage, provider: providerNews(before, event, "ok") };
    }
    case "task.failed":
    case "task.stopped":
      return { ...fold, change: { reason: reasonOf(payload.reason), finishedAt: event.at, ...costOf(payload) } };
    case "test.result": {
      if (typeof payload.command !== "string" || typeof payload.passed !== "boolean") return fold;
      const tests = { command: payload.command, passed: payload.passed, seq: event.seq };
      return { ...fold, change: { tests: toJson(tests) } };
    }
    case "provider.status": {
      const state = PROVIDER_STATES.find((known) => known === payload.state);
      return state === undefined ? fold : { ...fold, provider: providerNews(before, event, state) };
    }
    default:
      return fold;
  }
}

function startedChange(before: FoldSubject, { at, payload }: FoldableEvent): SessionChange {
  return {
    reason: null,
    finishedAt: null,
    startedAt: before.startedAt ?? at,
    ...(typeof payload.agentSessionId === "string" ? { agentSessionId: payload.agentSessionId } : {}),
    ...(typeof payload.model === "string" ? { model: payload.model } : {}),
  };
}

function finishedChange({ at, payload }: FoldableEvent): SessionChange {
  return {
    reason: null,
    finishedAt: at,
    ...costOf(payload),
    ...(typeof payload.num_turns === "number" ? { numTurns: payload.num_turns } : {}),
    ...(typeof payload.treeId === "string" ? { treeId: payload.treeId } : {}),
    ...(typeof payload.diffStat === "string" ? { diff: toJson(parseDiffStat(payload.diffStat)) } : {}),
  };
}

function costOf(payload: Record<string, unknown>): SessionChange {
  return typeof payload.total_cost_usd === "number" ? { costUsd: payload.total_cost_usd } : {};
}

function reasonOf(reason: unknown): EndReason {
  return END_REASONS.find((known) => known === reason) ?? "agent_error";
}

function providerNews(before: FoldSubject, event: FoldableEvent, state: ProviderNews["state"]): ProviderNews {
  const { retryAt, detail } = event.payload;
  return {
    agent: before.agent as AgentKind,
    state,
    retryAt: state !== "ok" && typeof retryAt === "string" ? retryAt : null,
    detail: state !== "ok" && typeof detail === "string" ? detail : "",
    at: event.at,
  };
}
