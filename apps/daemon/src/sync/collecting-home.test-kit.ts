import { createHmac } from "node:crypto";
import type { Writing } from "@codehands/client";
import type { Change, HeldRecord } from "@codehands/client/store";
import { inTransaction } from "../database/transaction.ts";
import { makeUuidV7 } from "../database/uuid-v7.ts";
import { appendEvents } from "../sessions/event-log.ts";
import { createSessionBus } from "../sessions/session-bus.ts";
import { makeStore } from "../sessions/session-store.test-kit.ts";
import { createCollector } from "./collector.ts";
import type { CommandDoor } from "./command-door.ts";
import { createDeviceStore } from "./sqlite-device-store.ts";

/** The device id that `makeStore` gives its sessions. */
export const DEVICE = "device";
const AT = "2026-01-01T00:00:00.000Z";

/** Chain values like those of a keyed chain: each depends on all lines before it. */
export function chainOf(prevMac: string, lines: readonly string[]): string[] {
  let mac = prevMac;
  return lines.map((line) => {
    mac = createHmac("sha256", "key").update(mac).update(line).digest().subarray(0, 16).toString("base64url");
    return mac;
  });
}

const NO_COMMANDS: CommandDoor = {
  applied: () => new Map(),
  ready: () => true,
  accept: () => {},
  afterCommit: () => {},
};

/** A database with its store for the sync and its collector, signed in as far as these are concerned. */
export function openCollectingHome() {
  const test = makeStore();
  const { store } = test;
  const bus = createSessionBus((error) => {
    throw error;
  });
  const newId = makeUuidV7();
  let now = 0;
  let changes = 0;
  let signedIn = true;
  const renumbered: string[] = [];
  const writing: Writing = {
    deviceId: DEVICE,
    recordId: async (kind, parts) => `${kind}/${parts.join("/")}`,
    async chain({ prevMac, events }) {
      return chainOf(
        prevMac,
        events.map(({ line }) => line),
      );
    },
  };
  const device = createDeviceStore({
    store,
    deviceId: DEVICE,
    commands: NO_COMMANDS,
    onRenumbered: (sessionId) => renumbered.push(sessionId),
    onFault: (error) => {
      throw error;
    },
  });
  const collector = createCollector({
    store,
    device,
    bus,
    context: () => ({ deviceId: DEVICE, deviceName: "laptop" }),
    elapsed: () => now,
    writing: () => (signedIn ? writing : null),
    changed: () => void (changes += 1),
  });
  return {
    ...test,
    bus,
    device,
    writing,
    renumbered,
    /** Collects as often as it asks for it. */
    async collect(): Promise<void> {
      let asked: number;
      do {
        asked = changes;
        await collector.collect();
      } while (changes !== asked);
    },
    /** What is to be sent is sent, and acknowledged, as the loop of the sync would. */
    async send(): Promise<void> {
      await device.apply({ dirty: Number.MAX_SAFE_INTEGER, unsettled: true }, ({ records, logs }) => {
        const sent: Change[] = [...records.values()].map((record) => ({
          op: "record",
          record: { ...record, dirty: "" },
        }));
        for (const { atRow: _, ...log } of logs.values()) {
          const { streamId, kind, writer, lastSeq, tailMac } = log;
          const row = { streamId, kind, writer, writerEpoch: 1, lastSeq, tailMac, version: 1, deleted: false };
          sent.push({ op: "log", log: { ...log, pushedSeq: lastSeq, finalSeq: lastSeq, row } });
        }
        return { changes: sent, result: undefined };
      });
    },
    collectOnce: () => collector.collect(),
    changes: () => changes,
    pass: (ms: number) => void (now += ms),
    signIn: (value: boolean) => void (signedIn = value),
    /** Stores events of a session after those that are there, as its run would. */
    happen(sessionId: string, ...types: string[]): void {
      inTransaction(store, (tx) => {
        const last = store.prepare("select last_seq from sessions where id = ?").pluck().get(sessionId) as number;
        const events = types.map((type, at) => ({
          sessionId,
          seq: last + 1 + at,
          type,
          at: AT,
          payload:
            type === "task.finished" ? { treeId: "a".repeat(40), diffStat: "", result: "ok" } : { text: `é ${at}` },
          runId: null,
        }));
        appendEvents(tx, events, { newId, deviceId: DEVICE });
      });
      bus.poke(sessionId);
    },
    async record(kind: number, id: string): Promise<HeldRecord | undefined> {
      return (await device.recordsOf(kind)).find((one) => one.id === id);
    },
    close(): void {
      collector.close();
      test.close();
    },
  };
}
