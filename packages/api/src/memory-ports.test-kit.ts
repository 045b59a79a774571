/** Small ports in memory: enough of a device to call every procedure, and a journal of what was called. */
import { accountPorts } from "./account-ports.test-kit.ts";
import type { LocalPorts } from "./ports.ts";
import type { CommandAnswer } from "./schemas/command.ts";
import type { EventView, SessionView, WatchFrame } from "./schemas/session.ts";

export const SESSION_ID = "3f0f3e1e-0000-4000-8000-000000000001";
export const COMMAND_ID = "01932c07-0000-7000-8000-000000000001";
const AT = "2026-01-02T03:04:05.000Z";

/** A session that waits for a person. */
export function aSession(change: Partial<SessionView> = {}): SessionView {
  return {
    id: SESSION_ID,
    shortId: SESSION_ID.slice(0, 8),
    title: "add PKCE",
    prompt: "add PKCE to login",
    status: "awaiting_approval",
    agent: "sample",
    model: null,
    repo: { key: "0123456789ab", path: "/srv/shop", remote: null },
    device: { id: "d1", name: "laptop" },
    branch: "codehands/add-pkce-3f0f3e1e",
    baseRef: "main",
    baseCommit: "a".repeat(40),
    worktree: "/srv/w",
    commit: null,
    treeId: "b".repeat(40),
    cost: { usd: 0.31, budgetUsd: 2 },
    usage: null,
    numTurns: 3,
    diff: { files: 1, additions: 2, deletions: 0 },
    tests: null,
    reason: null,
    taskId: "t1",
    continuesId: null,
    supersededBy: null,
    createdAt: AT,
    startedAt: AT,
    finishedAt: null,
    lastSeq: 3,
    rev: 4,
    ...change,
  };
}

/** The event with this seq. */
export function anEvent(seq: number): EventView {
  return { sessionId: SESSION_ID, seq, type: "message", at: AT, payload: { text: `line ${seq}` } };
}

export interface MemoryDevice {
  ports: LocalPorts;
  /** `noun.method` and its arguments, in order. */
  calls: { name: string; args: unknown[] }[];
  /** Commits one more event and shows it to every watcher. */
  add(seq: number): void;
  /** The `afterSeq` of every watcher that came. */
  watchedFrom: number[];
}

/** A device with one session and the events 1 to 3. */
export function memoryDevice(): MemoryDevice {
  const calls: MemoryDevice["calls"] = [];
  const events = [1, 2, 3].map(anEvent);
  const wake = new Set<() => void>();
  const watchedFrom: number[] = [];
  const session = aSession();
  const note = <T>(name: string, args: unknown[], value: T): Promise<T> => {
    calls.push({ name, args });
    return Promise.resolve(value);
  };
  const done: CommandAnswer = { ok: true, session, result: null };
  const trust = { key: "k", hash: "h", trusted: true, file: null, settings: null };
  const repo = {
    key: "k",
    name: "shop",
    remote: null,
    path: "/srv/shop",
    defaultBranch: "main",
    trusted: false,
    sessions: 1,
    lastUsedAt: AT,
  };

  async function* watch(afterSeq: number, signal: AbortSignal): AsyncGenerator<WatchFrame> {
    watchedFrom.push(afterSeq);
    yield { kind: "session", session };
    let sent = afterSeq;
    while (!signal.aborted) {
      for (const event of events.filter((each) => each.seq > sent)) {
        sent = event.seq;
        yield { kind: "event", event };
      }
      await new Promise<void>((resolve) => {
        const go = () => {
          wake.delete(go);
          resolve();
        };
        wake.add(go);
        signal.addEventListener("abort", go, { once: true });
      });
    }
  }

  const ports: LocalPorts = {
    sessions: {
      list: (...args) => note("sessions.list", args, { sessions: [session], unreadable: 0, nextCursor: null }),
      get: (id) => note("sessions.get", [id], id === SESSION_ID ? session : null),
      resolve: (...args) => note("sessions.resolve", args, { ok: true, sessionId: SESSION_ID }),
      events: (...args) => note("sessions.events", args, { events, lastSeq: 3 }),
      diff: (...args) => note("sessions.diff", args, null),
      start: (...args) => note("sessions.start", args, done),
      stop: (...args) => note("sessions.stop", args, done),
      resume: (...args) => note("sessions.resume", args, done),
      approve: (...args) => note("sessions.approve", args, done),
      reject: (...args) => note("sessions.reject", args, done),
      discard: (...args) => note("sessions.discard", args, done),
      clean: (...args) => note("sessions.clean", args, done),
      commandState: (...args) => note("sessions.commandState", args, null),
      withdraw: (...args) => note("sessions.withdraw", args, null),
      sentCommands: (...args) => note("sessions.sentCommands", args, []),
      watch: (query, signal) => watch(query.afterSeq, signal),
    },
    repos: {
      list: (...args) => note("repos.list", args, [repo]),
      trustState: (...args) => note("repos.trustState", args, trust),
      trust: (...args) => note("repos.trust", args, { ok: true, state: trust }),
      untrust: (...args) => note("repos.untrust", args, trust),
      sample: (...args) =>
        note("repos.sample", args, { path: "/home/me/sample", commit: "c0ffee", state: "made" as const }),
      relocate: (...args) => note("repos.relocate", args, { ok: true as const, repo }),
    },
    health: {
      health: (...args) =>
        note("health.health", args, {
          ok: true,
          pid: 1,
          version: "0.1.0",
          protocol: 1,
          bootId: "b",
          homeId: "h",
          startedAt: AT,
          running: 0,
          queued: 0,
          waiting: 1,
        }),
      doctor: (...args) => note("health.doctor", args, { ok: true, checks: [] }),
      shutdown: (...args) => note("health.shutdown", args, undefined),
    },
    settings: {
      list: (...args) => note("settings.list", args, []),
      get: (...args) => note("settings.get", args, null),
      set: (key, value) =>
        note("settings.set", [key, value], { ok: true as const, entry: { key, value, origin: "file" as const } }),
      unset: (...args) => note("settings.unset", args, { ok: true as const }),
    },
    usage: {
      report: (query) =>
        note("usage.report", [query], { by: query.by, rows: [], total: { sessions: 0, runs: 0, costUsd: 0 } }),
    },
    agents: {
      list: (...args) => note("agents.list", args, []),
      preferred: (...args) => note("agents.preferred", args, "sample" as const),
    },
    ...accountPorts(note),
  };
  return {
    ports,
    calls,
    watchedFrom,
    add(seq) {
      events.push(anEvent(seq));
      for (const go of wake) go();
    },
  };
}
