import { setTimeout as wait } from "node:timers/promises";
import type {
  Diff,
  EventPayloads,
  Runner,
  RunnerEvent,
  RunnerEventType,
  SessionRecord,
  StartOptions,
} from "@codehands/contracts";
import { EventSequence } from "./events.ts";
import { branchName } from "./git/branch-name.ts";
import { RunnerError } from "./runner-error.ts";
import { firstLine } from "./session/first-line.ts";
import { SessionStore } from "./session/session-store.ts";

type Step = { [T in RunnerEventType]: { type: T; payload: EventPayloads[T] } }[RunnerEventType];

const TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const COMMIT = "1f0c0d5e7a3b4c2d9e8f7a6b5c4d3e2f1a0b9c8d";
const FILE = "src/format-date.js";
const STAT = ` ${FILE} | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n`;
const PATCH = `diff --git a/${FILE} b/${FILE}
--- a/${FILE}
+++ b/${FILE}
@@ -1,3 +1,3 @@
 export function formatDate(date) {
-  const month = String(date.getUTCMonth()).padStart(2, "0");
+  const month = String(date.getUTCMonth() + 1).padStart(2, "0");
   return month;
`;

/** The twelve events of one scripted run: it reads, edits, tests and finishes. */
function script(record: SessionRecord, resumed: boolean): Step[] {
  const test = { command: "npm test", callId: "call-2" };
  return [
    {
      type: "task.started",
      payload: {
        agent: record.agent,
        model: record.model,
        cwd: record.worktree ?? "",
        agentSessionId: record.sessionId,
        runId: record.sessionId,
        phase: "single",
        ...(resumed ? { resumed: true as const } : {}),
      },
    },
    { type: "message", payload: { text: "I will run the tests first.", role: "agent" } },
    { type: "command.started", payload: { command: "npm test", tool: "Bash", callId: "call-1" } },
    {
      type: "command.finished",
      payload: {
        command: "npm test",
        callId: "call-1",
        isError: true,
        denied: false,
        exitCode: 1,
        output: "# pass 0\n# fail 2\n",
      },
    },
    {
      type: "test.result",
      payload: { command: "npm test", passed: false, callId: "call-1", counts: { passed: 0, failed: 2, skipped: 0 } },
    },
    { type: "file.read", payload: { path: FILE, tool: "Read" } },
    { type: "file.changed", payload: { path: FILE, tool: "Edit", change: "update" } },
    { type: "command.started", payload: { ...test, tool: "Bash" } },
    {
      type: "command.finished",
      payload: { ...test, isError: false, denied: false, exitCode: 0, output: "# pass 2\n# fail 0\n" },
    },
    { type: "test.result", payload: { ...test, passed: true, counts: { passed: 2, failed: 0, skipped: 0 } } },
    { type: "message", payload: { text: "The month is right now and both tests pass.", role: "agent" } },
    {
      type: "task.finished",
      payload: {
        total_cost_usd: 0,
        usage: null,
        num_turns: 4,
        result: "Both tests pass.",
        diffStat: STAT,
        treeId: TREE,
      },
    },
  ];
}

/**
 * A runner that plays twelve scripted events, `delayMs` apart (300 when absent), and supports every
 * method. It costs nothing and needs no repository: build against it, and keep it for demonstrations.
 */
export function createFakeRunner(options: { delayMs?: number } = {}): Runner {
  const delayMs = options.delayMs ?? 300;
  const store = new SessionStore();
  const stops = new Map<string, AbortController>();

  async function* play(sessionId: string, resumed: boolean): AsyncGenerator<RunnerEvent> {
    const record = must(store, sessionId);
    const stop = new AbortController();
    stops.set(sessionId, stop);
    store.move(sessionId, "running");
    const events = new EventSequence(sessionId, { afterSeq: record.lastSeq });
    const say = (step: Step) => {
      const event = events.next(step.type, step.payload);
      store.update(sessionId, { lastSeq: event.seq });
      return event;
    };
    try {
      for (const step of script(record, resumed)) {
        await wait(delayMs, undefined, { signal: stop.signal }).catch(() => {});
        if (stop.signal.aborted) {
          yield say({ type: "task.stopped", payload: { reason: "person" } });
          return;
        }
        if (step.type === "task.finished") {
          store.update(sessionId, { treeId: TREE });
          store.move(sessionId, "awaiting_approval");
        }
        yield say(step);
      }
    } finally {
      stops.delete(sessionId);
    }
  }

  const end = (sessionId: string, to: "approved" | "rejected") => {
    must(store, sessionId);
    store.move(sessionId, to);
  };

  return {
    start: (o) => {
      store.create(fakeRecord(o));
      return play(o.sessionId, false);
    },
    resume: async function* (sessionId) {
      const status = store.status(sessionId);
      if (status !== "stopped")
        throw new RunnerError(
          "illegal_move",
          `Session ${sessionId} is ${status ?? "unknown"}, so it cannot be resumed.`,
        );
      yield* play(sessionId, true);
    },
    attach: (run) => play(run.sessionId, true),
    stop: async (sessionId) => {
      const stop = stops.get(sessionId);
      if (stop === undefined)
        throw new RunnerError("illegal_move", `Session ${sessionId} is not running, so there is nothing to stop.`);
      store.move(sessionId, "stopped");
      stop.abort();
    },
    diff: async (sessionId) => {
      must(store, sessionId);
      return fakeDiff();
    },
    snapshot: async (sessionId) => {
      must(store, sessionId);
      return { treeId: TREE, ref: `refs/codehands/snapshot/${sessionId}` };
    },
    approve: async (sessionId) => {
      end(sessionId, "approved");
      return { branch: must(store, sessionId).branch ?? "", commit: COMMIT, treeId: TREE };
    },
    reject: async (sessionId) => end(sessionId, "rejected"),
    discard: async (sessionId) =>
      store.move(sessionId, store.status(sessionId) === "awaiting_approval" ? "rejected" : "failed"),
    undo: async function* (sessionId, into) {
      store.create({ ...must(store, sessionId), sessionId: into, lastSeq: 0 });
      yield* play(into, false);
    },
  };
}

function must(store: SessionStore, sessionId: string): SessionRecord {
  const record = store.get(sessionId);
  if (record === undefined) throw new RunnerError("not_found", `There is no session ${sessionId}.`);
  return record;
}

function fakeRecord(o: StartOptions): SessionRecord {
  return {
    sessionId: o.sessionId,
    repoPath: o.repoPath,
    repoKey: "000000000000",
    prompt: o.prompt,
    title: o.title ?? firstLine(o.prompt),
    agent: o.agent,
    model: o.model ?? null,
    phases: null,
    budgetUsd: o.budgetUsd ?? null,
    costUsd: 0,
    agentSessionId: o.sessionId,
    branch: branchName(o.prompt, o.sessionId),
    baseRef: o.base ?? null,
    baseCommit: null,
    worktree: o.repoPath,
    commonDir: null,
    privateGitDir: null,
    snapshotRef: null,
    treeId: null,
    approvedTreeId: null,
    commit: null,
    lastSeq: o.afterSeq ?? 0,
  };
}

function fakeDiff(): Diff {
  return {
    patch: PATCH,
    stat: STAT,
    treeId: TREE,
    files: [{ path: FILE, status: "M", additions: 1, deletions: 1, binary: false, generated: false, bytes: 64 }],
    ignored: [],
    nested: [],
    secrets: [],
    configChanged: [],
  };
}
