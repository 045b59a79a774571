import { setImmediate as nextTurn } from "node:timers/promises";
import type { Writing } from "@codehands/client";
import type { Diff } from "@codehands/contracts";
import type { Log } from "../logs/open-log.ts";
import type { SessionBus } from "../sessions/session-bus.ts";
import { readSession, type SessionRow, sessionsIn } from "../sessions/session-rows.ts";
import { sentenceOf } from "../supervisor/read-fault.ts";
import { readChange } from "./change-rows.ts";
import { type SealDeps, sealChange } from "./seal-change.ts";

export interface SealerOptions extends SealDeps {
  bus: SessionBus;
  log: Pick<Log, "warn">;
  /** Null while this device has no keys: nothing is sealed then, and made up for later. */
  writing: () => Writing | null;
  /** What a session changed, read afresh; null when nothing of it is left. */
  diff: (sessionId: string) => Promise<Diff | null>;
  /** Something is to be sent. */
  changed: () => void;
}

export interface ChangeSealer {
  /** Looks for sessions that wait and whose change was never sealed, once after each sign-in. */
  catchUp(): void;
  /** Somebody read a session's change: when it is another one than was sealed, it is sealed. */
  saw(sessionId: string, treeId: string): void;
  /** The tree of a session may have moved. */
  look(sessionId: string): void;
  /** Resolves when nothing is to be sealed. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** Sessions that hold a change that may be reviewed; a running one has none yet. */
const AT_REST = ["awaiting_approval", "stopped", "failed"] as const;

/** Seals the changes of sessions in the background, one after the other: no session ever waits for it. */
export function createChangeSealer(options: SealerOptions): ChangeSealer {
  const { store, bus } = options;
  const wanted = new Set<string>();
  /** The end of the run whose change was looked at last. */
  const looked = new Map<string, string>();
  let caughtUpFor: string | null = null;
  let closed = false;
  let work: Promise<void> = Promise.resolve();
  const at = { work: false };

  const want = (sessionId: string): void => {
    if (closed || options.writing() === null) return;
    wanted.add(sessionId);
    if (at.work) return;
    at.work = true;
    work = run();
  };

  async function run(): Promise<void> {
    for (const sessionId of wanted) {
      wanted.delete(sessionId);
      // Whoever is at work now goes first.
      await nextTurn();
      const writing = options.writing();
      const session = readSession(store, sessionId);
      if (closed) break;
      if (writing === null || session === undefined || !isAtRest(session)) continue;
      // What an account has heard of under another id of this device is that id's: nobody takes it from this one.
      if (session.deviceId !== writing.deviceId) continue;
      try {
        await sealOne(writing, session);
      } catch (error) {
        options.log.warn({ sessionId, error: sentenceOf(error) }, "a change could not be sealed for other devices");
      }
    }
    at.work = false;
  }

  async function sealOne(writing: Writing, session: SessionRow): Promise<void> {
    const { id, baseCommit, finishedAt } = session;
    const diff = await options.diff(id);
    looked.set(id, finishedAt ?? "");
    if (diff === null || closed || diff.treeId === readChange(store, id)?.treeId) return;
    if (await sealChange(options, writing, { sessionId: id, diff, baseCommit })) options.changed();
  }

  const leave = bus.subscribe(null, (sessionId) => {
    if (closed || options.writing() === null) return;
    const session = readSession(store, sessionId);
    if (session === undefined || !isAtRest(session)) return;
    const isNews = looked.get(sessionId) !== (session.finishedAt ?? "") || hasMoved(session);
    if (isNews) want(sessionId);
  });

  const hasMoved = ({ id, treeId }: SessionRow): boolean => treeId !== null && readChange(store, id)?.treeId !== treeId;

  return {
    catchUp() {
      const writing = options.writing();
      if (writing === null || caughtUpFor === writing.deviceId) return;
      caughtUpFor = writing.deviceId;
      for (const session of sessionsIn(store, "awaiting_approval", "stopped"))
        if (readChange(store, session.id) === null || hasMoved(session)) want(session.id);
    },
    saw(sessionId, treeId) {
      if (readChange(store, sessionId)?.treeId !== treeId) want(sessionId);
    },
    look: want,
    async idle() {
      while (at.work) await work;
    },
    async close() {
      closed = true;
      leave();
      await work;
    },
  };
}

function isAtRest({ status }: SessionRow): boolean {
  return AT_REST.some((known) => known === status);
}
