import type { ChainedEvent, Change, HeldLog } from "@codehands/client/store";
import { RECORD_KINDS } from "@codehands/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readMeta } from "../home/meta.ts";
import { readEvents } from "../sessions/read-events.ts";
import { dirtySessions, readSession } from "../sessions/session-rows.ts";
import { DEVICE, openCollectingHome } from "./collecting-home.test-kit.ts";
import { createAccountStore } from "./sqlite-account-store.ts";

let home: ReturnType<typeof openCollectingHome>;
beforeEach(() => {
  home = openCollectingHome();
});
afterEach(() => home.close());

const write = (...changes: Change[]) => home.device.apply({}, () => ({ changes, result: undefined }));
const texts = (sessionId: string) =>
  readEvents(home.store, { sessionId, afterSeq: 0, limit: 100 }).events.map((event) => [event.seq, event.type]);
const chained = (streamId: string) => home.device.eventsOf({ streamId, after: 0, limit: 100 });
async function logOf(streamId: string): Promise<HeldLog> {
  const log = await home.device.logOf(streamId);
  if (log === null) throw new Error(`no log ${streamId}`);
  return log;
}

/** An event as another copy of this device wrote it to the cloud. */
function cloudEvent(seq: number, type: string, payload: object = { text: "from the cloud" }): ChainedEvent {
  const id = `0193e3a0-7e11-7c1e-8a55-${seq.toString().padStart(12, "0")}`;
  const line = JSON.stringify({ id, seq, type, at: "2026-01-01T00:00:01.000Z", runId: null, payload });
  return { seq, id, line, mac: Buffer.alloc(16, seq).toString("base64url") };
}

describe("own sessions in the sync's store", () => {
  it("S17 a tail that waits leaves the account's view and not the person's; its run counts on, and nothing is lost", async () => {
    const id = home.add();
    home.happen(id, "task.started", "message", "message");
    await home.collect();
    const before = await chained(id);
    const log = await logOf(id);
    await write(
      { op: "cut", streamId: id, after: 1, to: "waiting" },
      { op: "log", log: { ...log, lastSeq: 1, tailMac: before[0]?.mac ?? "", waiting: 2 } },
    );
    expect((await chained(id)).map(({ seq }) => seq)).toEqual([1]);
    expect(texts(id).map(([seq]) => seq)).toEqual([1, 2, 3]);
    expect(home.renumbered).toEqual([]);
    // The run goes on meanwhile: what it says now stays behind what waits.
    home.happen(id, "file.changed");
    await home.collect();
    const view = await home.device.read({ logs: [id], events: { streamId: id, from: 1, to: 0 } });
    expect(view.waiting).toHaveLength(3);
    expect(view.waiting.slice(0, 2)).toEqual(before.slice(1).map(({ id: one, line }) => ({ id: one, line })));
    expect(view.logs.get(id)?.waiting).toBe(3);
    home.bus.poke(id);
    await home.collect();
    expect((await logOf(id)).waiting).toBe(3);
    const joined = view.waiting.map((event, at) => ({ ...event, seq: 2 + at, mac: macOf(at) }));
    await write(
      { op: "unwait", streamId: id, ids: "all" },
      { op: "append", streamId: id, events: joined },
      { op: "log", log: { ...(await logOf(id)), lastSeq: 4, tailMac: joined[2]?.mac ?? "", waiting: 0 } },
    );
    expect(texts(id).map(([seq]) => seq)).toEqual([1, 2, 3, 4]);
    expect((await chained(id)).slice(1)).toEqual(joined);
    expect(home.renumbered).toEqual([]);
    await home.collect();
    expect(await logOf(id)).toMatchObject({ lastSeq: 4, waiting: 0 });
  });

  it("S17 what waits gets other numbers behind what the cloud brought, and keeps its lines", async () => {
    const id = home.add();
    home.happen(id, "task.started", "message", "file.read");
    await home.collect();
    const [first, ...tail] = await chained(id);
    const log = await logOf(id);
    const came = [cloudEvent(2, "file.changed")];
    home.happen(id, "test.result");
    await write(
      { op: "cut", streamId: id, after: 1, to: "waiting" },
      { op: "append", streamId: id, events: came },
      { op: "log", log: { ...log, lastSeq: 2, tailMac: came[0]?.mac ?? "", waiting: 2, generation: 1 } },
    );
    expect(texts(id).map(([, type]) => type)).toEqual([
      ...["task.started", "file.changed", "message", "file.read", "test.result"],
    ]);
    expect(home.renumbered).toEqual([id]);
    await home.collect();
    const { waiting } = await home.device.read({ events: { streamId: id, from: 1, to: 0 } });
    expect(waiting.slice(0, 2)).toEqual(tail.map(({ id: one, line }) => ({ id: one, line })));
    expect(JSON.parse(waiting[2]?.line ?? "").seq).toBe(5);
    const joined = waiting.map((event, at) => ({ ...event, seq: 3 + at, mac: macOf(at) }));
    await write(
      { op: "unwait", streamId: id, ids: "all" },
      { op: "append", streamId: id, events: joined },
      { op: "log", log: { ...(await logOf(id)), lastSeq: 5, tailMac: joined[2]?.mac ?? "", waiting: 0 } },
    );
    expect(await chained(id)).toEqual([first, ...came, ...joined]);
  });

  it("S21 a log that is deleted elsewhere takes nothing from the device that made it", async () => {
    const id = home.add();
    home.happen(id, "task.started", "message");
    await home.collect();
    await write(
      { op: "cut", streamId: id, after: 0, to: "nowhere" },
      { op: "unwait", streamId: id, ids: "all" },
      { op: "log", log: { ...(await logOf(id)), dead: true, mine: false, lastSeq: 0 } },
    );
    expect(texts(id)).toHaveLength(2);
    home.happen(id, "message");
    await home.collect();
    expect(await logOf(id)).toMatchObject({ dead: true, lastSeq: 0 });
  });

  it("S17 what came from the cloud takes its numbers; what was not chained yet follows behind it", async () => {
    const id = home.add();
    home.happen(id, "task.started", "message");
    await home.collect();
    home.happen(id, "file.read", "file.changed");
    const came = [cloudEvent(3, "message"), cloudEvent(4, "test.result", { command: "npm test", passed: true })];
    const log = await logOf(id);
    await write(
      { op: "append", streamId: id, events: came },
      { op: "log", log: { ...log, lastSeq: 4, tailMac: came[1]?.mac ?? "" } },
    );
    expect(texts(id).map(([, type]) => type)).toEqual([
      ...["task.started", "message", "message", "test.result", "file.read", "file.changed"],
    ]);
    expect((await chained(id)).slice(2)).toEqual(came);
    expect(readSession(home.store, id)?.tests).toContain('"npm test"');
    await home.collect();
    expect(await logOf(id)).toMatchObject({ lastSeq: 6 });
  });

  it("V25 a database that was put back learns from the cloud how its session ended", async () => {
    const id = home.add();
    home.happen(id, "task.started");
    await home.collect();
    const end = cloudEvent(2, "task.finished", { treeId: "b".repeat(40), diffStat: "", result: "ok" });
    await write(
      { op: "append", streamId: id, events: [end] },
      { op: "log", log: { ...(await logOf(id)), lastSeq: 2, tailMac: end.mac } },
    );
    expect(readSession(home.store, id)).toMatchObject({ status: "awaiting_approval", treeId: "b".repeat(40) });
  });

  it("V14 a line of another version is kept byte for byte and shown as far as it is understood", async () => {
    const id = home.add();
    const line = '{"id":"x", "seq":1,"type":"message","at":"t","payload":{"text":"hi"},"colour":"blue"}';
    const event = {
      seq: 1,
      id: "0193e3a0-7e11-7c1e-8a55-00000000abcd",
      line,
      mac: Buffer.alloc(16, 9).toString("base64url"),
    };
    await home.collect();
    const log = { ...(await logOf(id).catch(() => newLogOf(id))), lastSeq: 1, tailMac: event.mac };
    await write({ op: "append", streamId: id, events: [event] }, { op: "log", log });
    expect(await chained(id)).toEqual([event]);
    expect(readEvents(home.store, { sessionId: id, afterSeq: 0, limit: 9 }).events).toEqual([
      { sessionId: id, seq: 1, type: "message", at: "t", payload: { text: "hi" } },
    ]);
  });

  it("S16 a tail that became a session of its own takes what is on this disk with it", async () => {
    const id = home.add();
    home.happen(id, "task.started", "message", "task.finished");
    home.store.prepare("update sessions set worktree = '/w', private_git_dir = '/g' where id = ?").run(id);
    await home.collect();
    const tail = (await chained(id)).slice(1);
    const fork = "6e55105e-0000-5000-8000-000000000001";
    const events = tail.map((event, at) => ({ ...event, seq: at + 1 }));
    await write(
      { op: "cut", streamId: id, after: 1, to: "nowhere" },
      { op: "log", log: { ...(await logOf(id)), lastSeq: 1, mine: false, generation: 1 } },
      { op: "append", streamId: fork, events },
      { op: "log", log: { ...newLogOf(fork), lastSeq: 2, tailMac: events[1]?.mac ?? "", mine: true } },
      { op: "forked", from: id, at: 1, streamId: fork },
    );
    expect(await chained(fork)).toEqual(events);
    expect(readSession(home.store, fork)).toMatchObject({
      ...{ status: "awaiting_approval", worktree: "/w", privateGitDir: "/g", continuesId: id, continuesAs: "fork" },
      ...{ lastSeq: 2, deviceId: DEVICE },
    });
    expect(readSession(home.store, id)).toMatchObject({
      ...{ status: "failed", reason: "superseded", worktree: null, supersededBy: fork, lastSeq: 1 },
    });
  });

  it("S3 a copy that becomes a device of its own is called by its new id from then on", async () => {
    const { state } = await home.device.read({});
    await write({ op: "state", state: { ...state, deviceId: "another" } });
    expect(readMeta(home.store, "device_id")).toBe("another");
    expect((await home.device.read({})).state.deviceId).toBe("another");
  });

  it("signing out keeps what this device made, and another account gets all of it", async () => {
    const id = home.add();
    home.happen(id, "task.started", "message", "message");
    await home.collect();
    const log = await logOf(id);
    await write(
      { op: "cut", streamId: id, after: 2, to: "waiting" },
      { op: "log", log: { ...log, lastSeq: 2, waiting: 1 } },
    );
    await createAccountStore(home.store).clear();
    expect(await home.device.allRecords()).toEqual([]);
    expect(await home.device.logOf(id)).toBeNull();
    expect(texts(id)).toEqual([
      [1, "task.started"],
      [2, "message"],
      [3, "message"],
    ]);
    home.bus.poke(id);
    await home.collect();
    expect(await logOf(id)).toMatchObject({ lastSeq: 3, pushedSeq: 0, row: null });
    expect((await home.device.recordsOf(RECORD_KINDS.session))[0]).toMatchObject({ rev: 1, dirty: "edit" });
    expect(await home.device.recordsOf(RECORD_KINDS.repo)).toHaveLength(1);
  });

  it("S3 what the account never heard of goes along when this device signs out, and what it has heard of stays the old id's", async () => {
    const [told, chainedOnly, untouched] = [home.add(), home.add(), home.add()];
    home.happen(told, "task.started");
    await home.collect();
    await home.send();
    home.happen(chainedOnly, "task.started");
    await home.collect();
    home.signIn(false);
    home.happen(untouched, "task.started");
    const actAs = async (deviceId: string) => {
      const { state } = await home.device.read({});
      await write({ op: "state", state: { ...state, deviceId } });
    };
    const owners = () => [told, chainedOnly, untouched].map((id) => readSession(home.store, id)?.deviceId);

    await actAs("next");
    expect(owners()).toEqual([DEVICE, "next", "next"]);
    // It broke off before anything was forgotten: the same device is there again, with all that is its own.
    await actAs(DEVICE);
    expect(owners()).toEqual([DEVICE, DEVICE, DEVICE]);

    await actAs("next");
    await createAccountStore(home.store).clear();
    await actAs("next");
    expect(owners()).toEqual([DEVICE, "next", "next"]);
    expect(readMeta(home.store, "device_id")).toBe("next");
    expect(new Set(dirtySessions(home.store, "next"))).toEqual(new Set([chainedOnly, untouched]));
  });
});

const macOf = (n: number): string => Buffer.alloc(16, n).toString("base64url");

function newLogOf(streamId: string): HeldLog {
  return {
    ...{ streamId, kind: 1, writer: DEVICE, mine: true, followed: true, dead: false, row: null },
    ...{
      lastSeq: 0,
      tailMac: "AAAAAAAAAAAAAAAAAAAAAA",
      pushedSeq: 0,
      finalSeq: 0,
      waiting: 0,
      generation: 0,
      blocked: null,
    },
  };
}
