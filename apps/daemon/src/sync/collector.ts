import { setImmediate as nextTurn } from "node:timers/promises";
import type { Writing } from "@codehands/client";
import type { OpenDatabase } from "../database/open-database.ts";
import type { SessionBus } from "../sessions/session-bus.ts";
import { dirtySessions, isBehindAtRest } from "../sessions/session-rows.ts";
import type { ViewContext } from "../sessions/session-view.ts";
import { collectSessions } from "./collect-sessions.ts";
import { collectShared } from "./collect-shared.ts";
import { countUnsentEvents } from "./log-rows.ts";
import { countUnsentRecords } from "./record-rows.ts";
import type { SqliteDeviceStore } from "./sqlite-device-store.ts";

/** So much may wait to be sent before more is collected: one exchange stays quick however long the history is. */
const AHEAD = { events: 4_000, records: 200 };

export interface CollectDeps {
  store: OpenDatabase;
  device: SqliteDeviceStore;
  context: () => ViewContext;
  /** Milliseconds of a clock that never jumps. */
  elapsed: () => number;
  /** Sessions that were looked at and have brought nothing new since. */
  resting: Set<string>;
  /** When each session's record was written last in this process. */
  writtenAt: Map<string, number>;
}

export interface CollectorOptions {
  store: OpenDatabase;
  device: SqliteDeviceStore;
  bus: SessionBus;
  context: () => ViewContext;
  elapsed?: () => number;
  /** Null while this device has no keys. */
  writing: () => Writing | null;
  /** Something is to be collected and sent. */
  changed: () => void;
}

export interface Collector {
  /**
   * Writes what is behind in the device's own tables as records and logs. When much is behind it resolves after a part
   * and asks, by `changed`, to be called for the rest once that part is sent.
   */
  collect(): Promise<void>;
  close(): void;
}

/** Brings own sessions, tasks, repositories and preferences into the sync: batch by batch, never for long at once. */
export function createCollector(options: CollectorOptions): Collector {
  const deps: CollectDeps = {
    store: options.store,
    device: options.device,
    context: options.context,
    elapsed: options.elapsed ?? (() => performance.now()),
    resting: new Set(),
    writtenAt: new Map(),
  };
  let timer: NodeJS.Timeout | null = null;
  const life = { closed: false, isHeld: false };
  const isFarAhead = (part = 1): boolean =>
    countUnsentEvents(deps.store) > AHEAD.events * part || countUnsentRecords(deps.store) > AHEAD.records * part;
  const leave = options.bus.subscribe(null, (sessionId) => {
    deps.resting.delete(sessionId);
    options.changed();
  });
  // The sync gave the events of a session other chain values: the record of one at rest is behind by that alone.
  const stopListening = options.device.onCommit(({ logs }) => {
    if (life.isHeld && !isFarAhead(0.5)) {
      life.isHeld = false;
      options.changed();
    } else if (logs.some((streamId) => isBehindAtRest(deps.store, streamId))) options.changed();
  });
  const again = (ms: number): void => {
    if (life.closed || timer !== null) return;
    timer = setTimeout(() => {
      timer = null;
      options.changed();
    }, ms);
    timer.unref();
  };
  let running: Promise<void> | null = null;

  async function collectAll(): Promise<void> {
    const writing = options.writing();
    if (writing === null) return;
    await collectShared(deps, writing);
    // What comes while this goes on is another round's: a busy agent must not hold up the sending.
    const queue = dirtySessions(deps.store, writing.deviceId).filter((id) => !deps.resting.has(id));
    let later: number | null = null;
    while (queue.length > 0 && !life.closed) {
      const ms = await collectSessions(deps, writing, queue);
      if (ms !== null) later = Math.min(later ?? ms, ms);
      await nextTurn();
      life.isHeld = queue.length > 0 && isFarAhead();
      if (life.isHeld) return;
    }
    if (later !== null) again(later);
  }

  return {
    collect() {
      running ??= collectAll().finally(() => {
        running = null;
      });
      return running;
    },
    close() {
      life.closed = true;
      if (timer !== null) clearTimeout(timer);
      leave();
      stopListening();
    },
  };
}
