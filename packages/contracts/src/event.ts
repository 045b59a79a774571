/** What a runner tells of a run: numbered events, each with a payload of its type. */
import type { AgentKind, EndReason, ProviderState, Run } from "./session.ts";

export const RUNNER_EVENT_TYPES = [
  "task.started",
  "message",
  "file.read",
  "file.changed",
  "command.started",
  "command.finished",
  "test.result",
  "task.finished",
  "task.failed",
  "task.stopped",
  "provider.status",
] as const;
export type RunnerEventType = (typeof RUNNER_EVENT_TYPES)[number];

/** The event types that end a run. */
export const TERMINAL_EVENT_TYPES = ["task.finished", "task.failed", "task.stopped"] as const;

export interface RunnerEvent {
  sessionId: string;
  /** 1, 2, 3 … per session, never reused, continues after a resume. */
  seq: number;
  type: RunnerEventType;
  /** ISO time. */
  at: string;
  payload: Record<string, unknown>;
  /** The agent's original line, with secrets masked. Never leaves the device. */
  raw?: unknown;
}

/** What each event carries. Payloads are loose: a reader takes what it knows. */
export interface EventPayloads {
  "task.started": {
    agent: AgentKind;
    model: string | null;
    cwd: string;
    agentSessionId: string | null;
    runId: string;
    phase: Run["phase"];
    resumed?: true;
    restoredFrom?: string;
  };
  message: {
    text: string;
    role?: "agent" | "plan" | "notice";
    denied?: true;
    tool?: string;
    severity?: "info" | "warn";
    truncated?: true;
    /** Size in bytes of what was cut. */
    bytes?: number;
    subagent?: string;
    phase?: string;
  };
  "file.read": { path: string | null; pattern?: string; tool: string; paths?: string[] };
  "file.changed": { path: string; tool: string; change: "add" | "update" | "delete" | "unknown"; outside?: true };
  "command.started": { command: string; tool: string; callId: string };
  "command.finished": {
    command: string;
    callId: string;
    isError: boolean;
    denied: boolean;
    exitCode: number | null;
    /** At most 64 KB; the tail is kept. */
    output: string;
    truncated?: true;
    unfinished?: true;
    durationMs?: number;
  };
  "test.result": {
    command: string;
    passed: boolean;
    callId: string;
    failed?: string[];
    counts?: { passed: number; failed: number; skipped: number };
  };
  "task.finished": {
    total_cost_usd: number | null;
    usage: unknown;
    num_turns: number | null;
    result: string;
    diffStat: string;
    treeId: string;
    denied?: number;
    restored?: true;
  };
  "task.failed": {
    reason: EndReason;
    detail: string;
    stderr?: string;
    exitCode?: number | null;
    total_cost_usd?: number | null;
  };
  "task.stopped": { reason: EndReason; by?: string; total_cost_usd?: number | null; retryAt?: string };
  "provider.status": {
    state: ProviderState;
    retryAt?: string;
    detail: string;
    transient: boolean;
    attempt?: number;
  };
}

/** An event with its payload typed by its type. */
export type TypedEvent = {
  [T in RunnerEventType]: Omit<RunnerEvent, "type" | "payload"> & { type: T; payload: EventPayloads[T] };
}[RunnerEventType];

/** Narrows an event to its typed form. The payload is not checked: it was written by a runner of ours. */
export function isEventOf<T extends RunnerEventType>(
  event: RunnerEvent,
  type: T,
): event is Extract<TypedEvent, { type: T }> & RunnerEvent {
  return event.type === type;
}
