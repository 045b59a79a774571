import { CHAIN_START } from "@codehands/client/store";
import { RECORD_KINDS } from "@codehands/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inTransaction } from "../database/transaction.ts";
import { countUncollected } from "../sessions/session-rows.ts";
import { putPreference } from "../settings/preference-rows.ts";
import { closeTask } from "../tasks/task-rows.ts";
import { chainOf, DEVICE, openCollectingHome } from "./collecting-home.test-kit.ts";

let home: ReturnType<typeof openCollectingHome>;
beforeEach(() => {
  home = openCollectingHome();
});
afterEach(() => home.close());

const linesOf = async (streamId: string) => (await home.device.eventsOf({ streamId, after: 0, limit: 10_000 })) ?? [];
const bodyOf = async (id: string) => JSON.parse((await home.record(RECORD_KINDS.session, id))?.body ?? "null");
const dirty = () => home.store.prepare("select count(*) from sessions where dirty <> ''").pluck().get();

describe("the collector", () => {
  it("V14 V19 chains each event's line: its fields in their order and the payload as it is stored", async () => {
    const id = home.add();
    home.happen(id, "task.started", "message");
    await home.collect();
    const events = await linesOf(id);
    expect(events.map(({ seq }) => seq)).toEqual([1, 2]);
    const stored = home.store.prepare("select id, payload from events where seq = 2").get() as Record<string, string>;
    expect(events[1]?.line).toBe(
      `{"id":"${stored.id}","seq":2,"type":"message","at":"2026-01-01T00:00:00.000Z","runId":null,"payload":${stored.payload}}`,
    );
    expect(events.map(({ mac }) => mac)).toEqual(
      chainOf(
        CHAIN_START,
        events.map(({ line }) => line),
      ),
    );
    expect(await home.device.logOf(id)).toMatchObject({
      writer: DEVICE,
      mine: true,
      lastSeq: 2,
      pushedSeq: 0,
      kind: 1,
    });
  });

  it("V21 a session's record names its last event and the chain value there", async () => {
    const id = home.add({ title: "Fix login" });
    await home.collect();
    expect(await bodyOf(id)).toMatchObject({ status: "queued", title: "Fix login", lastSeq: 0, tailMac: "" });
    home.happen(id, "task.started", "message", "task.finished");
    await home.collect();
    const log = await home.device.logOf(id);
    expect(await bodyOf(id)).toMatchObject({ status: "awaiting_approval", lastSeq: 3, tailMac: log?.tailMac });
    expect(await home.record(RECORD_KINDS.session, id)).toMatchObject({ rev: 2, dirty: "edit", writer: DEVICE });
    expect(dirty()).toBe(0);
  });

  it("C084 counts what was not collected, and no record of a session that is at work", async () => {
    const id = home.add();
    home.happen(id, "task.started");
    expect(countUncollected(home.store, DEVICE)).toEqual({ events: 1, records: 1 });
    await home.collect();
    expect(countUncollected(home.store, DEVICE)).toEqual({ events: 0, records: 0 });
    home.happen(id, "message");
    expect(countUncollected(home.store, DEVICE)).toEqual({ events: 1, records: 0 });
    home.happen(id, "task.finished");
    expect(countUncollected(home.store, DEVICE)).toEqual({ events: 2, records: 1 });
    await home.collect();
    expect(countUncollected(home.store, DEVICE)).toEqual({ events: 0, records: 0 });
  });

  it("writes a running session's record at a change of its status, else once a second, never for events alone", async () => {
    const id = home.add();
    home.happen(id, "task.started");
    await home.collect();
    const rev = async () => (await home.record(RECORD_KINDS.session, id))?.rev;
    const first = await rev();
    home.happen(id, "message", "message");
    await home.collect();
    expect([await rev(), (await home.device.logOf(id))?.lastSeq]).toEqual([first, 3]);
    const cost = (usd: number) =>
      inTransaction(home.store, () =>
        home.store.prepare("update sessions set cost_usd = ?, rev = rev + 1 where id = ?").run(usd, id),
      );
    home.pass(400);
    cost(0.1);
    home.bus.poke(id);
    await home.collect();
    expect(await rev()).toBe(first);
    home.pass(600);
    await home.collect();
    expect(await rev()).toBe((first ?? 0) + 1);
    expect(await bodyOf(id)).toMatchObject({ cost: { usd: 0.1 } });
    home.happen(id, "task.finished");
    await home.collect();
    expect(await bodyOf(id)).toMatchObject({ status: "awaiting_approval", lastSeq: 4 });
  });

  it("brings tasks, repositories and preferences along, each once", async () => {
    home.add();
    inTransaction(home.store, (tx) => putPreference(tx, { scope: "account", key: "language", body: "en" }));
    await home.collect();
    const kinds = (await home.device.allRecords()).map(({ kind, id, body }) => ({
      kind,
      id,
      body: JSON.parse(body ?? ""),
    }));
    const of = (kind: number) => kinds.filter((one) => one.kind === kind);
    expect(of(RECORD_KINDS.repo)).toEqual([
      { kind: 2, id: "2/repo", body: expect.objectContaining({ repoKey: "repo", matchKey: "y", name: "repo" }) },
    ]);
    expect(of(RECORD_KINDS.task)).toHaveLength(1);
    expect(of(RECORD_KINDS.task)[0]?.body).not.toHaveProperty("dirty");
    expect(of(RECORD_KINDS.preference)).toEqual([
      { kind: 9, id: "9/account/language", body: { scope: "account", key: "language", value: "en" } },
    ]);
    const revs = async () => (await home.device.allRecords()).map(({ rev }) => rev);
    await home.collect();
    expect(await revs()).toEqual([1, 1, 1, 1]);
    const task = of(RECORD_KINDS.task)[0]?.id ?? "";
    inTransaction(home.store, (tx) => closeTask(tx, task, "2026-01-02T00:00:00.000Z"));
    await home.collect();
    expect(await home.record(RECORD_KINDS.task, task)).toMatchObject({ rev: 2, dirty: "edit" });
  });

  it("a prompt that fits into no record is cut there, and makes no record again and again", async () => {
    const id = home.add({ title: "é".repeat(500_000) });
    await home.collect();
    const { prompt } = await bodyOf(id);
    expect(Buffer.byteLength(prompt)).toBeLessThan(70_000);
    expect(prompt).toMatch(/é\n… \(cut: 1000000 bytes\)$/);
    home.bus.poke(id);
    await home.collect();
    expect(await home.record(RECORD_KINDS.session, id)).toMatchObject({ rev: 1 });
  });

  it("of much that is behind a part is collected, and the rest once that part is sent", async () => {
    const id = home.add();
    home.happen(id, "task.started", ...Array<string>(6_000).fill("message"));
    const before = home.changes();
    await home.collect();
    expect((await home.device.logOf(id))?.lastSeq).toBe(4_500);
    expect(home.changes()).toBe(before);
    await home.send();
    expect(home.changes()).toBe(before + 1);
    await home.collect();
    expect((await home.device.logOf(id))?.lastSeq).toBe(6_001);
    expect(dirty()).toBe(1);
    home.happen(id, "task.finished");
    await home.collect();
    expect(dirty()).toBe(0);
  });

  it("does nothing while there are no keys, and everything once there are", async () => {
    home.signIn(false);
    const id = home.add();
    home.happen(id, "task.started");
    await home.collect();
    expect(await home.device.allRecords()).toEqual([]);
    home.signIn(true);
    await home.collect();
    expect(await home.device.logOf(id)).toMatchObject({ lastSeq: 1 });
  });

  it("what other versions told of a shared record is kept when it is written anew", async () => {
    const key = { kind: RECORD_KINDS.repo, id: "2/repo" };
    await home.device.apply({ records: [key] }, () => ({
      changes: [
        {
          op: "record",
          record: {
            ...key,
            rev: 4,
            body: JSON.stringify({ repoKey: "repo", colour: "blue", name: "old" }),
            deleted: false,
            writer: "another",
            mac: "m",
            item: "i",
            base: null,
            dirty: "",
            blocked: null,
            quarantine: null,
          },
        },
      ],
      result: undefined,
    }));
    await home.collect();
    const record = await home.record(key.kind, key.id);
    expect(record).toMatchObject({ rev: 5, writer: DEVICE, mac: "" });
    expect(JSON.parse(record?.body ?? "")).toMatchObject({ colour: "blue", name: "repo" });
  });

  it("a home with a thousand sessions goes up whole, and others get their turn all the time", async () => {
    home.signIn(false);
    inTransaction(home.store, () => {
      const ids = Array.from({ length: 1_000 }, () => home.add());
      const messages = Array<string>(48).fill("message");
      for (const id of ids.slice(0, 100)) home.happen(id, "task.started", ...messages, "task.finished");
    });
    home.signIn(true);
    let turns = 0;
    let on = true;
    const count = (): void => {
      turns += 1;
      if (on) setTimeout(count);
    };
    setTimeout(count);
    for (let round = 0; round < 100 && dirty() !== 0; round++) {
      await home.collect();
      await home.send();
    }
    on = false;
    expect(await home.device.recordsOf(RECORD_KINDS.session)).toHaveLength(1_000);
    expect(home.store.prepare("select sum(last_seq) from sync_logs").pluck().get()).toBe(5_000);
    expect(dirty()).toBe(0);
    // 5,000 events, at most 500 at once, and 1,000 records, at most 25 at once: no turn did more than that.
    expect(turns).toBeGreaterThan(20);
  });
});
