/** A device in plain memory that behaves by the contract: for tests of the command against a real HTTP server. */
import { EventEmitter, on } from "node:events";
import type {
  CommandAnswer,
  DiffView,
  EventView,
  LocalPorts,
  SessionView,
  WatchFrame,
  WatchQuery,
} from "@codehands/api";
import { decideCommand, type SessionCommandKind } from "@codehands/contracts";
import { LAPTOP, MemoryAccount } from "./account-ports.test-kit.ts";
import { SentCommands } from "./sent-commands.test-kit.ts";
import { smallPorts } from "./small-ports.test-kit.ts";

export const TREE = "a".repeat(40);
export const COMMIT = "c".repeat(40);
export const WAITING = "3f0f3e1e-5a1c-4d1e-9b1a-0c1d2e3f4a5b";
export const RUNNING = "7abc0000-5a1c-4d1e-9b1a-0c1d2e3f4a5b";
export const STOPPED = "9def0000-5a1c-4d1e-9b1a-0c1d2e3f4a5b";

/** A whole session; a waiting one unless told otherwise. */
export function sessionOf(over: Partial<SessionView> = {}): SessionView {
  const id = over.id ?? WAITING;
  const shortId = id.slice(0, 8);
  return {
    id,
    shortId,
    title: "add-pkce-to-login",
    prompt: "add PKCE to login",
    status: "awaiting_approval",
    agent: "claude-code",
    model: "sonnet",
    repo: { key: "0123456789ab", path: "/home/me/shop", remote: null },
    device: { id: "d1", name: "laptop" },
    branch: `codehands/add-pkce-to-login-${shortId}`,
    baseRef: "main",
    baseCommit: "a41c9e2".padEnd(40, "0"),
    worktree: `/home/me/.codehands/worktrees/0123456789ab/${shortId}`,
    commit: null,
    treeId: TREE,
    cost: { usd: 0.31, budgetUsd: 2 },
    usage: { inputTokens: 1200, cachedInputTokens: 0, outputTokens: 345 },
    numTurns: 18,
    diff: { files: 1, additions: 1, deletions: 1 },
    tests: null,
    reason: null,
    taskId: "t1",
    continuesId: null,
    supersededBy: null,
    createdAt: "2026-01-02T03:00:00.000Z",
    startedAt: "2026-01-02T03:00:00.000Z",
    finishedAt: null,
    lastSeq: 0,
    rev: 1,
    ...over,
  };
}

export const PATCH = `diff --git a/login.ts b/login.ts
index 5626abf..f719efd 100644
--- a/login.ts
+++ b/login.ts
@@ -1 +1 @@
-one
+two
`;

export const DIFF: DiffView = {
  patch: PATCH,
  stat: " login.ts | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)",
  treeId: TREE,
  files: [{ path: "login.ts", status: "M", additions: 1, deletions: 1, binary: false, generated: false, bytes: 4 }],
  ignored: ["node_modules/"],
  nested: [],
  secrets: [],
  configChanged: [],
};

/** The laptop's, as this device holds it. */
export const REMOTE = {
  device: { id: LAPTOP, name: "laptop" },
  remote: { heldSeq: 40, receivedAt: "2026-01-02T03:05:00.000Z", warning: null },
} as const;

export class MemoryDevice {
  readonly account = new MemoryAccount();
  /** What was sent to other devices: the commands about a session that is `REMOTE`, and starts with a device. */
  readonly sent = new SentCommands();
  readonly sessions = new Map<string, SessionView>();
  readonly events = new Map<string, EventView[]>();
  readonly answers = new Map<string, CommandAnswer>();
  /** Every command that arrived, in order, also one that came twice. */
  readonly arrived: { kind: string; input: Readonly<Record<string, unknown>> }[] = [];
  diff: DiffView | null = DIFF;
  cleaned: Record<string, unknown> = { removed: ["/w/old"], bytes: 1500, kept: [] };
  /** Called when a command was carried out, so that a test can let the agent act. */
  onCommand: (kind: string, sessionId: string) => void = () => undefined;
  readonly #bus = new EventEmitter().setMaxListeners(0);
  readonly ports: LocalPorts;

  constructor() {
    for (const session of [
      sessionOf(),
      sessionOf({ id: RUNNING, shortId: "7abc0000", status: "running", treeId: null, diff: null, title: "slow work" }),
      sessionOf({ id: STOPPED, shortId: "9def0000", status: "stopped", reason: "budget", title: "dear work" }),
    ]) {
      this.sessions.set(session.id, session);
    }
    this.ports = { ...smallPorts(), ...this.account.ports, sessions: { ...this.#port(), ...this.sent.ports } };
  }

  /** Changes a session and tells the watchers. */
  change(id: string, over: Partial<SessionView>): void {
    const before = this.sessions.get(id) ?? sessionOf({ id });
    this.sessions.set(id, { ...before, ...over, rev: before.rev + 1 });
    this.#bus.emit(id);
  }

  /** Adds an event of a session and tells the watchers. */
  add(id: string, type: string, payload: Record<string, unknown>): void {
    this.addRaw(id, { type, payload });
  }

  /** Adds an event with the agent's own line. */
  addRaw(id: string, { type, payload, raw }: { type: string; payload: Record<string, unknown>; raw?: unknown }): void {
    const list = this.events.get(id) ?? [];
    const seq = list.length + 1;
    const at = new Date(Date.parse("2026-01-02T03:00:00.000Z") + seq * 1000).toISOString();
    list.push({ sessionId: id, seq, type, at, payload, ...(raw !== undefined && { raw }) });
    this.events.set(id, list);
    this.change(id, { lastSeq: seq });
  }

  #port(): Omit<LocalPorts["sessions"], keyof SentCommands["ports"]> {
    return {
      list: async (query) => {
        const all = [...this.sessions.values()].filter(
          (one) =>
            (query.status === undefined || query.status.includes(one.status)) &&
            (query.search === undefined || one.title.includes(query.search)) &&
            (query.deviceId === undefined || one.device.id === query.deviceId) &&
            (query.repoKey === undefined || one.repo.key === query.repoKey),
        );
        const from = Number(query.cursor ?? 0);
        const sessions = all.slice(from, from + query.limit);
        const next = from + query.limit;
        return { sessions, unreadable: 0, nextCursor: next < all.length ? String(next) : null };
      },
      get: async (id) => this.sessions.get(id) ?? null,
      resolve: async (ref) => {
        const all = [...this.sessions.values()];
        const fits = all.filter((one) =>
          ref === "@waiting"
            ? one.status === "awaiting_approval"
            : ref === one.branch || (ref.length >= 4 && one.id.startsWith(ref)),
        );
        const last = ref === "@last" ? all.slice(-1) : fits;
        const [found] = last;
        if (found !== undefined && last.length === 1) return { ok: true, sessionId: found.id };
        const code = last.length > 1 ? "ambiguous" : "not_found";
        return { ok: false, code, candidates: last.map((one) => one.id) };
      },
      events: async (query) => {
        const all = (this.events.get(query.sessionId) ?? [])
          .filter((event) => event.seq > query.afterSeq && (query.types?.includes(event.type) ?? true))
          .map(({ raw, ...event }) => (query.raw ? { ...event, raw } : event));
        const events = query.newest ? all.slice(-query.limit) : all.slice(0, query.limit);
        return { events, lastSeq: events.at(-1)?.seq ?? query.afterSeq };
      },
      diff: async () => this.diff,
      start: async (input) => {
        const { sessionId, prompt, repoPath, deviceId } = input;
        if (deviceId !== undefined) return this.#send("start", input, { id: deviceId, name: "laptop" });
        return this.#once("start", input, () => {
          const title = input.title ?? "a-title";
          const cost = { usd: null, budgetUsd: input.budgetUsd ?? 0.5 };
          const repo = { key: "0123456789ab", path: repoPath, remote: null };
          const shortId = sessionId.slice(0, 8);
          const over = { id: sessionId, shortId, status: "queued" as const, title, prompt, cost, repo, treeId: null };
          this.sessions.set(sessionId, sessionOf({ ...over, agent: input.agent ?? "sample", diff: null, lastSeq: 0 }));
          return null;
        });
      },
      stop: async (input) =>
        this.#decided("stop", input, () => {
          this.change(input.sessionId, { status: "stopped", reason: "person" });
          return null;
        }),
      resume: async (input) =>
        this.#decided("resume", input, () => {
          this.change(input.sessionId, { status: "running", reason: null });
          return null;
        }),
      approve: async (input) =>
        this.#decided("approve", input, () => {
          this.change(input.sessionId, { status: "approved", commit: COMMIT });
          return { branch: this.sessions.get(input.sessionId)?.branch, commit: COMMIT, treeId: input.treeId };
        }),
      reject: async (input) =>
        this.#decided("reject", input, () => {
          this.change(input.sessionId, { status: "rejected" });
          return null;
        }),
      discard: async (input) =>
        this.#decided("discard", input, () => {
          this.change(input.sessionId, { status: "failed", reason: "discarded" });
          return null;
        }),
      clean: async (input) => this.#once("clean", { ...input, sessionId: WAITING }, () => this.cleaned),
      watch: (query, signal) => this.#watch(query, signal),
    };
  }

  #decided(
    kind: SessionCommandKind,
    input: { commandId: string; sessionId: string; treeId?: string; expects?: SessionView["status"][] },
    act: () => Record<string, unknown> | null,
  ): CommandAnswer {
    const session = this.sessions.get(input.sessionId);
    if (session?.remote !== undefined) return this.#send(kind, input, session.device);
    const subject = session === undefined ? null : { ...session, approvedTreeId: null };
    const payload = { kind, ...(input.treeId !== undefined && { treeId: input.treeId }) };
    const decision = decideCommand(subject, payload, { status: input.expects ?? [] });
    if (decision.ok) return this.#once(kind, input, act);
    this.arrived.push({ kind, input });
    return { ...decision, session: session ?? null };
  }

  #send(kind: string, input: { commandId: string; sessionId: string }, device: SessionView["device"]): CommandAnswer {
    this.arrived.push({ kind, input });
    const { commandId, sessionId } = input;
    return { ...this.sent.send({ commandId, sessionId, kind, device }), session: this.sessions.get(sessionId) ?? null };
  }

  #once(
    kind: string,
    input: { commandId: string; sessionId: string },
    act: () => Record<string, unknown> | null,
  ): CommandAnswer {
    this.arrived.push({ kind, input });
    const before = this.answers.get(input.commandId);
    if (before !== undefined) return before;
    const result = act();
    const answer: CommandAnswer = { ok: true, session: this.sessions.get(input.sessionId) ?? null, result };
    this.answers.set(input.commandId, answer);
    this.onCommand(kind, input.sessionId);
    return answer;
  }

  async *#watch(query: WatchQuery, signal: AbortSignal): AsyncGenerator<WatchFrame> {
    let seen = query.afterSeq;
    let rev = this.sessions.get(query.sessionId)?.rev ?? 0;
    const woken = on(this.#bus, query.sessionId, { signal });
    try {
      for (;;) {
        for (const event of (this.events.get(query.sessionId) ?? []).slice(seen)) {
          seen = event.seq;
          yield { kind: "event", event };
        }
        const session = this.sessions.get(query.sessionId);
        if (session !== undefined && session.rev > rev) {
          rev = session.rev;
          yield { kind: "session", session };
          continue;
        }
        await woken.next();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      await woken.return?.();
    }
  }
}
