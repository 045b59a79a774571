import { LOG_KINDS, RECORD_KINDS, type RecordRow } from "@codehands/contracts";
import { CHAIN_START, type ChainedEvent, type HeldLog, type HeldRecord, newLog } from "@codehands/sync";
import { cutChange, type SealedChange } from "../changes/cut-change.ts";
import type { DeviceStore } from "../ports/device-store.ts";
import type { ReplicaDeps } from "../ports/replica-deps.ts";
import { MemoryDeviceStore } from "../stores/memory-device-store.ts";

export const ME = "11111111-0000-4000-8000-000000000001";
export const LAPTOP = "22222222-0000-4000-8000-000000000002";
export const NOW = "2026-03-01T12:00:00.000Z";
const EARLIER = "2026-03-01T11:00:00.000Z";
const TREE = "b".repeat(40);

/** A session id by number. */
export const sessionId = (n: number): string =>
  `3f0f${String(n).padStart(4, "0")}-0000-4000-8000-${String(n).padStart(12, "0")}`;
/** A command id by number. */
export const commandId = (n: number): string => `01932c07-0000-7000-8000-${String(n).padStart(12, "0")}`;

/** The body of a session record as its owner writes it. */
export function sessionBody(id: string, change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id,
    shortId: id.slice(0, 8),
    title: "add PKCE",
    prompt: "add PKCE to login",
    status: "awaiting_approval",
    agent: "sample",
    model: null,
    repo: { key: "0123456789ab", path: "/srv/shop", remote: null },
    device: { id: LAPTOP, name: "as it was" },
    branch: `codehands/add-pkce-${id.slice(0, 8)}`,
    baseRef: "main",
    baseCommit: "a".repeat(40),
    worktree: "/srv/w",
    commit: null,
    treeId: TREE,
    cost: { usd: 0.31, budgetUsd: 2 },
    usage: null,
    numTurns: 3,
    diff: { files: 1, additions: 2, deletions: 0 },
    tests: null,
    reason: null,
    taskId: "t1",
    continuesId: null,
    supersededBy: null,
    createdAt: EARLIER,
    startedAt: EARLIER,
    finishedAt: null,
    lastSeq: 0,
    rev: 4,
    tailMac: "",
    ...change,
  };
}

export const aChange = (patch: string): SealedChange => ({
  patch,
  stat: " a.ts | 2 +-",
  treeId: TREE,
  baseCommit: "a".repeat(40),
  files: [{ path: "a.ts", status: "M", additions: 1, deletions: 1, binary: false, generated: false, bytes: 10 }],
  ignored: [],
  nested: [],
  secrets: [],
  configChanged: [],
});

/** The chain value that stands at a seq in these tests: the sync proved it before it was stored. */
export const macAt = (streamId: string, seq: number): string => btoa(`${streamId.slice(0, 8)}${seq}`).slice(0, 22);

/** Another device of the account, whose writes arrive in `store` as a pull would bring them. */
export class OtherDevice {
  readonly id: string;
  readonly #store: DeviceStore;
  #version = 0;

  constructor(store: DeviceStore, id = LAPTOP) {
    this.#store = store;
    this.id = id;
  }

  async introduces(body: Record<string, unknown> = {}): Promise<void> {
    const told = { name: "laptop", kind: "daemon", platform: "linux", version: "1", incarnation: "aW5jYXJuYXRpb24xMg" };
    await this.writes({ kind: RECORD_KINDS.device, id: this.id }, { ...told, agents: [], ...body });
  }

  async session(n: number, change: Record<string, unknown> = {}): Promise<void> {
    await this.writes({ kind: RECORD_KINDS.session, id: sessionId(n) }, sessionBody(sessionId(n), change));
  }

  /** A record of this device, as it comes with a page. */
  async writes(key: { kind: number; id: string }, body: unknown, change: Partial<HeldRecord> = {}): Promise<void> {
    this.#version += 1;
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const mac = btoa(`record${this.#version}`);
    const row: RecordRow = {
      ...key,
      version: this.#version,
      rev: this.#version,
      mac,
      keyId: 1,
      body: "",
      deleted: false,
      writer: this.id,
      receivedAt: EARLIER,
    };
    const record: HeldRecord = {
      ...key,
      rev: row.rev,
      body: text,
      deleted: false,
      writer: this.id,
      mac,
      item: "",
      base: row,
      dirty: "",
      blocked: null,
      quarantine: null,
      ...change,
    };
    await this.#store.apply({}, () => ({ changes: [{ op: "record", record }], result: undefined }));
  }

  /** The log of a stream as the cloud tells it: it reaches `lastSeq`. */
  async row(streamId: string, lastSeq: number, kind: number = LOG_KINDS.session): Promise<void> {
    this.#version += 1;
    const held = (await this.#store.logOf(streamId)) ?? newLog({ streamId, kind, writer: this.id });
    const log: HeldLog = {
      ...held,
      row: {
        streamId,
        kind,
        writer: this.id,
        writerEpoch: 1,
        lastSeq,
        tailMac: lastSeq === 0 ? CHAIN_START : macAt(streamId, lastSeq),
        version: this.#version,
        deleted: false,
      },
    };
    await this.#store.apply({}, () => ({ changes: [{ op: "log", log }], result: undefined }));
  }

  /** The next events of a log are fetched and proved: they stand in the store. */
  async arrives(streamId: string, lines: readonly string[]): Promise<void> {
    const held = (await this.#store.logOf(streamId)) ?? newLog({ streamId, kind: LOG_KINDS.session, writer: this.id });
    const events = chained(streamId, held.lastSeq + 1, lines);
    const lastSeq = held.lastSeq + events.length;
    const log: HeldLog = { ...held, followed: true, lastSeq, tailMac: macAt(streamId, lastSeq), pushedSeq: lastSeq };
    await this.#store.apply({}, () => ({
      changes: [
        { op: "append", streamId, events },
        { op: "log", log },
      ],
      result: undefined,
    }));
  }

  async outcome(id: string, body: Record<string, unknown>): Promise<void> {
    const told = { state: "done", boot: "b", code: null, reason: null, result: null, ...body };
    await this.writes({ kind: RECORD_KINDS.outcome, id }, told);
  }

  /** The change of a session: its record, and the lines of its log, which the caller lets arrive. */
  async change(n: number, streamId: string, change: SealedChange): Promise<string[]> {
    const { lines, ...record } = await cutChange(change, { change: 100_000, slice: 200 });
    await this.writes({ kind: RECORD_KINDS.change, id: sessionId(n) }, { ...record, streamId });
    await this.row(streamId, lines.length, LOG_KINDS.change);
    return lines;
  }
}

/** Events with the chain values of these tests. */
export const chained = (streamId: string, from: number, lines: readonly string[]): ChainedEvent[] =>
  lines.map((line, i) => ({ seq: from + i, id: `e${from + i}`, mac: macAt(streamId, from + i), line }));

/** An event's line as V14 writes it. */
export const lineOf = (seq: number, text: string, type = "message"): string =>
  JSON.stringify({ id: `e${seq}`, seq, type, at: EARLIER, runId: null, payload: { text } });

/** Lines from … to. */
export const linesOf = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => lineOf(from + i, `line ${from + i}`));

/** A device beside the other one: nothing reaches the cloud. */
export function replicaWorld(change: Partial<ReplicaDeps> = {}) {
  const store = new MemoryDeviceStore(ME);
  let made = 900;
  const woken = { count: 0 };
  const deps: ReplicaDeps = {
    store,
    me: () => ({ deviceId: ME, name: "phone" }),
    changed: () => void (woken.count += 1),
    eventsBefore: () => Promise.reject(new Error("the cloud is away")),
    clock: () => NOW,
    newId: () => commandId(made++),
    patienceMs: 20,
    ...change,
  };
  return { store, deps, laptop: new OtherDevice(store), woken };
}
