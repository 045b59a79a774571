import { EventEmitter, on } from "node:events";
import type { CommandAnswer, EventView, HealthView, LocalPorts, RepoTrust, SessionView } from "@codehands/api";
import type { Log } from "../logs/open-log.ts";
import { accountPorts } from "./account-ports.test-kit.ts";

export const SESSION_ID = "3f0f3e1e-5a1c-4d1e-9b1a-0c1d2e3f4a5b";
export const COMMAND_ID = "0193e3a0-7e11-7c1e-8a55-3f0f3e1e0001";

/** Ports over plain memory: one session, its events, and the names of all calls that came through. */
export function memoryPorts() {
  const calls: string[] = [];
  const callers: (string | null)[] = [];
  const stored: EventView[] = [];
  const bus = new EventEmitter().setMaxListeners(0);
  const refused: CommandAnswer = { ok: false, code: "illegal_move", reason: "kept", next: null, session: null };
  const trust: RepoTrust = { key: "k", hash: null, trusted: false, file: null, settings: null };
  const note = <T>(name: string, value: T, caller?: { runId: string | null }): Promise<T> => {
    calls.push(name);
    if (caller !== undefined) callers.push(caller.runId);
    return Promise.resolve(value);
  };
  const ports: LocalPorts = {
    sessions: {
      list: () => note("sessions.list", { sessions: [], unreadable: 0, nextCursor: null }),
      get: (id) => note("sessions.get", id === SESSION_ID ? session() : null),
      resolve: () => note("sessions.resolve", { ok: false as const, code: "not_found" as const, candidates: [] }),
      events: () => note("sessions.events", { events: stored, lastSeq: stored.length }),
      diff: () => note("sessions.diff", null),
      start: (_input, caller) => note("sessions.start", refused, caller),
      stop: (_input, caller) => note("sessions.stop", refused, caller),
      resume: (_input, caller) => note("sessions.resume", refused, caller),
      approve: (_input, caller) => note("sessions.approve", refused, caller),
      reject: (_input, caller) => note("sessions.reject", refused, caller),
      discard: (_input, caller) => note("sessions.discard", refused, caller),
      clean: (_input, caller) => note("sessions.clean", refused, caller),
      commandState: () => note("sessions.commandState", null),
      withdraw: (_id, caller) => note("sessions.withdraw", null, caller),
      sentCommands: () => note("sessions.sentCommands", []),
      async *watch(query, signal) {
        calls.push("sessions.watch");
        let seen = query.afterSeq;
        const woken = on(bus, "event", { signal });
        try {
          for (;;) {
            for (const event of stored.slice(seen)) yield { kind: "event" as const, event };
            seen = stored.length;
            await woken.next();
          }
        } catch (error) {
          if (!signal.aborted) throw error;
        } finally {
          await woken.return?.();
        }
      },
    },
    repos: {
      list: () => note("repos.list", []),
      trustState: () => note("repos.trustState", trust),
      trust: () => note("repos.trust", { ok: false, state: trust }),
      untrust: () => note("repos.untrust", trust),
      sample: () => note("repos.sample", { path: "/home/me/sample", commit: "c0ffee", state: "made" as const }),
      relocate: () => note("repos.relocate", { ok: false as const, reason: "kept" }),
    },
    health: {
      health: () => note("health.health", health()),
      doctor: () => note("health.doctor", { ok: true, checks: [] }),
      shutdown: () => note("health.shutdown", undefined),
    },
    settings: {
      list: () => note("settings.list", []),
      get: () => note("settings.get", null),
      set: () => note("settings.set", { ok: false as const, reason: "kept" }),
      unset: () => note("settings.unset", { ok: false as const, reason: "kept" }),
    },
    usage: {
      report: () => note("usage.report", { by: "day" as const, rows: [], total: { sessions: 0, runs: 0, costUsd: 0 } }),
    },
    agents: { list: () => note("agents.list", []), preferred: () => note("agents.preferred", "sample" as const) },
    ...accountPorts(note),
  };
  return {
    ports,
    calls,
    callers,
    /** Watchers that wait for the next event now. */
    listeners: () => bus.listenerCount("event"),
    emit(text: string): void {
      const seq = stored.length + 1;
      stored.push({ sessionId: SESSION_ID, seq, type: "message", at: "2026-11-30T18:00:00.000Z", payload: { text } });
      bus.emit("event");
    },
  };
}

/** A log whose lines are kept. */
export function memoryLog(): Log & { lines: { level: string; message: string; fields: Record<string, unknown> }[] } {
  const lines: { level: string; message: string; fields: Record<string, unknown> }[] = [];
  const at = (level: string) => (fields: Record<string, unknown>, message: string) => {
    lines.push({ level, message, fields });
  };
  return { lines, info: at("info"), warn: at("warn"), error: at("error") };
}

function health(): HealthView {
  const ids = { bootId: "b", homeId: "h", startedAt: "2026-11-30T18:00:00.000Z" };
  return { ok: true, pid: 1, version: "0.1.0", protocol: 1, ...ids, running: 0, queued: 0, waiting: 0 };
}

function session(): SessionView {
  return {
    id: SESSION_ID,
    shortId: "3f0f3e1e",
    title: "t",
    prompt: "p",
    status: "running",
    agent: "sample",
    model: null,
    repo: { key: "k", path: null, remote: null },
    device: { id: "d", name: "n" },
    branch: null,
    baseRef: null,
    baseCommit: null,
    worktree: null,
    commit: null,
    treeId: null,
    cost: { usd: null, budgetUsd: null },
    usage: null,
    numTurns: null,
    diff: null,
    tests: null,
    reason: null,
    taskId: "t",
    continuesId: null,
    supersededBy: null,
    createdAt: "2026-11-30T18:00:00.000Z",
    startedAt: null,
    finishedAt: null,
    lastSeq: 0,
    rev: 1,
  };
}
