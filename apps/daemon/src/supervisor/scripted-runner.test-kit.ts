import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type {
  CrashPoint,
  RefusalCode,
  Run,
  Runner,
  RunnerEvent,
  RunnerEventType,
  RunPosition,
  SessionRecord,
  SessionRecords,
  StopOptions,
} from "@codehands/contracts";
import { landCommit } from "./scripted-branch.test-kit.ts";

/** What a scripted runner refuses a call with. */
export class ScriptedRefusal extends Error {
  readonly code: RefusalCode | "not_a_repo" | "git_failed";
  constructor(code: ScriptedRefusal["code"], message: string) {
    super(message);
    this.code = code;
  }
}

export interface ScriptedOptions {
  /** Where its runs, worktrees, branches and trash lie. They outlive the process, as an agent does. */
  dir: string;
  records: SessionRecords;
  onPosition: (position: RunPosition) => void;
  crashPoint: CrashPoint;
  clock: () => string;
}

interface Active {
  stop: StopOptions | null;
}

/**
 * A runner whose agent plays the lines of its prompt after the first: `say X`, `pair X` (one line, two events),
 * `test pass|fail`, `wait NAME` (until the file NAME exists), `finish`, `fail REASON`, `limit STATE`, `vanish`
 * (ends without a word) and, before the run exists, `throw CODE`. Output goes to a file and is read from the stored
 * offset, so a run survives its reader.
 */
export function createScriptedRunner(o: ScriptedOptions): Runner {
  const active = new Map<string, Active>();
  /** Sessions whose approval with the message "half" has broken off once. */
  const halves = new Set<string>();
  const { records, crashPoint } = o;
  const recordOf = (sessionId: string): SessionRecord => {
    const record = records.get(sessionId);
    if (record === undefined) throw new ScriptedRefusal("not_found", `no session ${sessionId}`);
    return record;
  };
  const must = (sessionId: string, ...legal: string[]) => {
    const status = records.status(sessionId) ?? "none";
    if (!legal.includes(status)) throw new ScriptedRefusal("illegal_move", `session is ${status}`);
  };
  const numbered = (sessionId: string, afterSeq: number) => {
    let seq = afterSeq;
    return (type: RunnerEventType, payload: Record<string, unknown>, raw?: string): RunnerEvent => {
      seq += 1;
      return { sessionId, seq, type, at: o.clock(), payload, ...(raw === undefined ? {} : { raw }) };
    };
  };

  async function* begin(sessionId: string, lines: string[], kind: Run["kind"]): AsyncGenerator<RunnerEvent> {
    if (active.has(sessionId)) throw new ScriptedRefusal("already_running", "in work already");
    const me: Active = { stop: null };
    active.set(sessionId, me);
    try {
      const refused = lines.find((line) => line.startsWith("throw "));
      if (refused !== undefined) throw new ScriptedRefusal(refused.slice(6) as "not_a_repo", "scripted refusal");
      const worktree = join(o.dir, "worktrees", "repo", sessionId.slice(0, 8));
      mkdirSync(worktree, { recursive: true });
      writeFileSync(join(worktree, "work.txt"), lines.join("\n"));
      records.update(sessionId, { worktree, branch: `codehands/${sessionId.slice(0, 8)}`, baseCommit: "b".repeat(40) });
      await crashPoint("kit.prepared");
      const run = newRun(sessionId, kind);
      records.putRun(run);
      await crashPoint("kit.intent");
      mkdirSync(join(o.dir, "runs", run.id), { recursive: true });
      writeFileSync(join(o.dir, "runs", run.id, "out"), ["init", ...lines].map((line) => `${line}\n`).join(""));
      await crashPoint("kit.spawned");
      yield* read(run, me);
    } finally {
      active.delete(sessionId);
    }
  }

  function newRun(sessionId: string, kind: Run["kind"]): Run {
    const none = { model: null, prompt: null, signal: null, exitCode: null, costUsd: null, endedAt: null };
    const ordinal = records.runs(sessionId).length + 1;
    const zero = { byteOffset: 0, errOffset: 0, pid: null, pgid: null, startTicks: null, bootId: null };
    const startedAt = o.clock();
    return {
      ...none,
      ...zero,
      id: randomUUID(),
      sessionId,
      ordinal,
      kind,
      phase: "single",
      state: "spawning",
      startedAt,
    };
  }

  async function* read(run: Run, me: Active): AsyncGenerator<RunnerEvent> {
    const { sessionId } = run;
    const live: Run = { ...run, state: "live" };
    records.putRun(live);
    records.move(sessionId, "running");
    await crashPoint("kit.live");
    const next = numbered(sessionId, recordOf(sessionId).lastSeq);
    const output = readFileSync(join(o.dir, "runs", run.id, "out"), "utf8")
      .split("\n")
      .slice(0, -1);
    let offset = 0;
    for (const line of output) {
      offset += Buffer.byteLength(line) + 1;
      if (offset <= run.byteOffset) continue;
      if (line === "vanish") return;
      while (line.startsWith("wait ") && me.stop === null && !existsSync(join(o.dir, line.slice(5)))) await pause(5);
      if (me.stop !== null) break;
      for (const event of eventsOf(line, { run, recordOf, next })) yield event;
      o.onPosition({ sessionId, runId: run.id, byteOffset: offset });
      await crashPoint("kit.line");
    }
    yield* end({ run: live, last: output.at(-1) ?? "", next, me });
  }

  async function* end(e: {
    run: Run;
    last: string;
    next: ReturnType<typeof numbered>;
    me: Active;
  }): AsyncGenerator<RunnerEvent> {
    const { sessionId } = e.run;
    const treeId = treeOf(recordOf(sessionId).worktree);
    records.update(sessionId, { treeId, snapshotRef: `refs/codehands/snapshot/${sessionId}` });
    await crashPoint("kit.snapshot");
    if (e.me.stop !== null) {
      records.move(sessionId, "stopped");
      yield e.next("task.stopped", { reason: e.me.stop.reason ?? "person", total_cost_usd: 0.01 });
    } else if (e.last.startsWith("fail")) {
      records.move(sessionId, "failed");
      yield e.next("task.failed", {
        reason: e.last.slice(5) || "agent_error",
        detail: "scripted",
        total_cost_usd: 0.02,
      });
    } else if (e.last.startsWith("limit")) {
      records.move(sessionId, "stopped");
      yield e.next("task.stopped", { reason: e.last.slice(6), total_cost_usd: 0.02 });
    } else {
      records.move(sessionId, "awaiting_approval");
      const diffStat = " work.txt | 2 +-\n 1 file changed, 3 insertions(+), 1 deletion(-)\n";
      const usage = { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 7 };
      yield e.next("task.finished", { total_cost_usd: 0.03, usage, num_turns: 2, result: "done", diffStat, treeId });
    }
    await crashPoint("kit.ended");
    records.putRun({ ...e.run, state: "ended", exitCode: 0, endedAt: o.clock() });
    rmSync(join(o.dir, "runs", e.run.id), { recursive: true, force: true });
  }

  const throwAway = async (sessionId: string) => {
    const { worktree } = recordOf(sessionId);
    if (worktree !== null && existsSync(worktree)) {
      mkdirSync(join(o.dir, "trash"), { recursive: true });
      renameSync(worktree, join(o.dir, "trash", sessionId));
    }
    await crashPoint("kit.trashed");
  };

  return {
    start: ({ sessionId, prompt }) => begin(sessionId, prompt.split("\n").slice(1), "start"),
    async *resume(sessionId, prompt) {
      must(sessionId, "stopped");
      if (recordOf(sessionId).agentSessionId === null) throw new ScriptedRefusal("cannot_resume", "no agent session");
      yield* begin(sessionId, (prompt ?? "\nfinish").split("\n").slice(1), "resume");
    },
    async *attach(run) {
      const me: Active = { stop: null };
      active.set(run.sessionId, me);
      try {
        if (existsSync(join(o.dir, "runs", run.id, "out"))) return yield* read(run, me);
        records.putRun({ ...run, state: "ended", endedAt: o.clock() });
        records.move(run.sessionId, "failed");
        const payload = { reason: "spawn_failed", detail: "never started" };
        yield numbered(run.sessionId, recordOf(run.sessionId).lastSeq)("task.failed", payload);
      } finally {
        active.delete(run.sessionId);
      }
    },
    async stop(sessionId, options = {}) {
      const me = active.get(sessionId);
      if (me === undefined) throw new ScriptedRefusal("illegal_move", "not running");
      me.stop ??= options;
      if (records.status(sessionId) === "running") records.move(sessionId, "stopped");
    },
    async diff(sessionId) {
      const record = recordOf(sessionId);
      if (record.worktree === null) throw new ScriptedRefusal("not_found", "no worktree");
      const nothing = { files: [], ignored: [], nested: [], secrets: [], configChanged: [] };
      return { patch: "", stat: "", treeId: treeOf(record.worktree), ...nothing };
    },
    async approve(sessionId, message, options = {}) {
      must(sessionId, "awaiting_approval");
      const record = recordOf(sessionId);
      if (options.treeId !== record.treeId) throw new ScriptedRefusal("stale_tree", "another tree");
      if (message === "break") throw new ScriptedRefusal("git_failed", "git could not write");
      const landed = landCommit(o.dir, { record, message, at: options.at ?? o.clock() });
      if (landed === null) throw new ScriptedRefusal("branch_moved", "the branch has moved");
      await crashPoint("kit.landed");
      if (message === "half" && !halves.delete(sessionId)) {
        halves.add(sessionId);
        throw new ScriptedRefusal("git_failed", "the worktree could not be moved");
      }
      await throwAway(sessionId);
      records.update(sessionId, { commit: landed.commit, approvedTreeId: landed.treeId });
      records.move(sessionId, "approved");
      return landed;
    },
    async reject(sessionId) {
      if (records.status(sessionId) === "rejected") return;
      must(sessionId, "awaiting_approval");
      await throwAway(sessionId);
      records.move(sessionId, "rejected");
    },
    async discard(sessionId) {
      must(sessionId, "queued", "stopped", "failed", "approved");
      await throwAway(sessionId);
      const status = records.status(sessionId);
      if (status === "queued" || status === "stopped") records.move(sessionId, "failed");
    },
    undo: () => {
      throw new ScriptedRefusal("not_allowed", "not scripted");
    },
    async snapshot(sessionId) {
      const treeId = treeOf(recordOf(sessionId).worktree);
      records.update(sessionId, { treeId });
      return { treeId, ref: "refs/codehands/snapshot" };
    },
  };
}

function treeOf(worktree: string | null): string {
  const file = worktree === null ? "" : join(worktree, "work.txt");
  return createHash("sha1")
    .update(existsSync(file) ? readFileSync(file) : "")
    .digest("hex");
}

function eventsOf(
  line: string,
  at: {
    run: Run;
    recordOf: (id: string) => SessionRecord;
    next: (type: RunnerEventType, payload: Record<string, unknown>, raw?: string) => RunnerEvent;
  },
): RunnerEvent[] {
  const [word = "", ...rest] = line.split(" ");
  const text = rest.join(" ");
  const record = at.recordOf(at.run.sessionId);
  switch (word) {
    case "init": {
      const { agent, model, worktree } = record;
      const agentSessionId = `agent-${at.run.sessionId.slice(0, 8)}`;
      const payload = { agent, model, cwd: worktree, agentSessionId, runId: at.run.id, phase: "single" };
      return [at.next("task.started", payload, line)];
    }
    case "pair":
      return [
        at.next("message", { text, role: "agent" }, line),
        at.next("file.changed", { path: text, tool: "Edit", change: "update" }, line),
      ];
    case "test":
      return [at.next("test.result", { command: "npm test", passed: text === "pass", callId: "c" }, line)];
    case "say":
    case "wait":
      return [at.next("message", { text, role: "agent" }, line)];
    default:
      return [];
  }
}
