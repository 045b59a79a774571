import { randomBytes, randomUUID } from "node:crypto";
import type { RecordRow } from "@codehands/contracts";
import { createDeviceStore } from "@codehands/daemon/device-store";
import { appendEvents, type NewEvent } from "@codehands/daemon/event-log";
import { makeStore, type TestStore } from "@codehands/daemon/test-store";
import { inTransaction } from "@codehands/daemon/transaction";
import { type CloudPort, type Sealing, SyncClient } from "@codehands/sync";
import { alternate, type BenchRow, median, ratio, time } from "./measure.ts";

/** Events of one commit: what a busy agent writes in the time that the daemon gathers. */
const BATCH = 50;
const BATCHES = 40;
const PAGE = 500;
const PAGES = 4;
const AT = "2026-01-01T00:00:00.000Z";
const DEVICE = "00000000-0000-7000-8000-000000000001";

/** What sync costs on a device's own disk: the daemon's SQLite with its fsync, against bare inserts of the same rows. */
export async function benchSyncLocal(rounds: number): Promise<BenchRow[]> {
  return [await benchAppend(rounds), await benchApply(rounds)];
}

/** Own events as the daemon stores them: there is no outbox beside them, the watermark waits in the log's row. */
async function benchAppend(rounds: number): Promise<BenchRow> {
  const own = makeStore();
  const bare = makeStore();
  const sessionId = own.add();
  const copy = bare.add();
  const context = { newId: () => randomUUID(), deviceId: DEVICE };
  let seq = 0;
  const append = () => {
    const batches = Array.from({ length: BATCHES }, () =>
      Array.from({ length: BATCH }, (): NewEvent => {
        seq += 1;
        const payload = { text: randomBytes(150).toString("hex") };
        return { sessionId, seq, type: "message", at: AT, payload, runId: null };
      }),
    );
    return time(() => {
      for (const batch of batches) inTransaction(own.store, (tx) => appendEvents(tx, batch, context));
    });
  };
  const insert = bareInsert(bare, { table: "events", from: own, change: (cells) => ({ ...cells, session_id: copy }) });
  await append();
  await insert();
  const times = await alternate(rounds, insert, append);
  for (const each of [own, bare]) each.close();
  return rateRow({
    name: `own events, ${BATCH} a commit`,
    goal: "≥ 0.95 x bare insert",
    events: BATCH * BATCHES,
    times,
  });
}

/** Records of other devices, opened and merged page by page with the cursor. Sealing is left out: it is not the disk's. */
async function benchApply(rounds: number): Promise<BenchRow> {
  const own = makeStore();
  const bare = makeStore();
  let version = 0;
  const apply = async () => {
    const rows = Array.from({ length: PAGE * PAGES }, () => recordRow(++version));
    const client = clientOf(own, rows);
    // The first exchange says hello.
    await client.exchange();
    return time(async () => {
      for (let page = 0; page < PAGES; page++) await client.exchange();
    });
  };
  const insert = bareInsert(bare, {
    table: "sync_records",
    from: own,
    change: (cells) => ({ ...cells, id: randomUUID() }),
  });
  await apply();
  await insert();
  const times = await alternate(rounds, insert, apply);
  const held = own.store.prepare("select count(*) from sync_records").pluck().get() as number;
  if (held !== version) throw new Error(`${held} of ${version} records were applied`);
  for (const each of [own, bare]) each.close();
  const name = `records of others, pages of ${PAGE}`;
  return rateRow({ name, goal: "≥ 0.9 x bare insert", events: PAGE * PAGES, times });
}

interface Bare {
  table: string;
  from: TestStore;
  change: (cells: Record<string, unknown>) => Record<string, unknown>;
}

/** The rows that were written last, once more into another database: prepared once, as many a transaction. */
function bareInsert({ store }: TestStore, { table, from, change }: Bare): () => Promise<number> {
  const [count, perCommit] = table === "events" ? [BATCH * BATCHES, BATCH] : [PAGE * PAGES, PAGE];
  let done = 0;
  return () => {
    const newest = from.store.prepare(`select * from ${table} limit ${count}`).all() as Record<string, unknown>[];
    const rows = newest.map((found) => ({
      ...change(found),
      ...(table === "events" && { seq: ++done, id: randomUUID() }),
    }));
    const names = Object.entries(rows[0] ?? {}).flatMap(([name, cell]) => (cell === null ? [] : [name]));
    const insert = store.prepare(`insert into ${table} (${names.join()}) values (${names.map(() => "?").join()})`);
    const values = rows.map((each: Record<string, unknown>) => names.map((name) => each[name]));
    return time(() => {
      for (let at = 0; at < values.length; at += perCommit)
        inTransaction(store, () => {
          for (const cells of values.slice(at, at + perCommit)) insert.run(...cells);
          return null;
        });
    });
  };
}

function recordRow(version: number): RecordRow {
  const text = (bytes: number) => randomBytes(bytes).toString("base64url");
  const about = { kind: 3, id: randomUUID(), writer: randomUUID(), rev: 1, keyId: 1 };
  return { ...about, version, mac: text(16), body: text(700), deleted: false, receivedAt: AT };
}

/** A device that finds these rows in its feed, after what earlier ones of this database have seen. */
function clientOf(test: TestStore, rows: readonly RecordRow[]): SyncClient {
  const first = rows[0]?.version ?? 1;
  const head = rows.at(-1)?.version ?? 0;
  const store = createDeviceStore({
    store: test.store,
    deviceId: DEVICE,
    commands: { applied: () => new Map(), ready: () => true, accept: () => {}, afterCommit: () => {} },
    onRenumbered: () => {},
    onFault: (error) => {
      throw error;
    },
  });
  const never = () => Promise.reject(new Error("nothing is to be sent"));
  const cloud: CloudPort = {
    hello: async () => ({ answer: "OK", epoch: "one" }),
    pull: async ({ cursor }) => {
      const page = rows.slice(cursor + 1 - first, cursor + 1 - first + PAGE);
      const next = page.at(-1)?.version ?? cursor;
      const found = page.map((each) => ({ row: "record" as const, ...each }));
      return { from: cursor, rows: found, next, more: next < head, head, now: AT, rosterSeq: 0 };
    },
    push: never,
    segments: never,
    compact: never,
  };
  const body = JSON.stringify({ title: "A session of another device", prompt: "x".repeat(400) });
  const sealing: Sealing = {
    openRecords: async (sealed) => sealed.map(() => ({ ok: true, body })),
    sealEvents: never,
    openSegment: never,
    sealRecord: never,
    chain: never,
  };
  const sleep = async () => undefined;
  return new SyncClient({ store, cloud, sealing, boot: randomUUID(), clock: () => 0, random: () => 0.5, sleep });
}

function rateRow(found: { name: string; goal: string; events: number; times: { a: number[]; b: number[] } }): BenchRow {
  const { name, goal, events, times } = found;
  const rate = (took: number) => `${(events / took).toFixed(1)} k/s`;
  const [bare, own] = [median(times.a), median(times.b)];
  return {
    name,
    value: ratio(bare / own),
    goal,
    detail: `${rate(own)}, bare insert ${rate(bare)}, fsync at each commit`,
  };
}
