import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { type CloudDatabase, openCloudDatabase } from "@codehands/cloud/database";
import { createMemoryPokeBus } from "@codehands/cloud/poke-bus";
import { makeLog } from "@codehands/cloud/sealed-items";
import { createSyncPort } from "@codehands/cloud/sync";
import { startEmbedded } from "@codehands/pg-embedded";
import type { Sql } from "postgres";
import { benchCalls } from "./bench-cloud-calls.ts";
import { alternate, type BenchRow, median, ratio, time } from "./measure.ts";

/** Bytes of one event, sealed by itself or inside a segment. */
const EVENT_BYTES = 600;
/** Header, nonce, tag and signature of a sealed item. */
const SEAL_BYTES = 84 + 12 + 16 + 64;

/** Pushes into PostgreSQL with fsync, against binary COPY of the same events into a table with the same key. */
export async function benchCloud(rounds: number): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "codehands-bench-"));
  const server = await startEmbedded({ dataDir: join(folder, "data") });
  const database = await openCloudDatabase(server.url, { connections: 20 });
  try {
    return [
      await benchOne(database, {
        rounds,
        name: "push, batch 1000 as rows",
        perSegment: 1,
        goal: "≥ 0.7 x binary COPY",
      }),
      await benchOne(database, {
        rounds,
        name: "push, batch 1000 as segments",
        perSegment: 100,
        goal: "≥ 3 x binary COPY",
      }),
      await benchMany(database, rounds),
      ...(await benchCalls(database.sql, rounds)),
    ];
  } finally {
    await database.close(0);
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface OneOptions {
  rounds: number;
  name: string;
  perSegment: number;
  goal: string;
}

async function benchOne({ sql }: CloudDatabase, { rounds, name, perSegment, goal }: OneOptions): Promise<BenchRow> {
  const [device] = await makeDevices(sql, 1);
  if (device === undefined) throw new Error("no device");
  const copy = (await makeCopyTable(sql))();
  const batches = 20;
  // What is sent is made beforehand: on a device, not here.
  const copied = () => {
    const made = make(batches, () => copy(1_000));
    return time(() => inTurn(made));
  };
  const pushed = () => {
    const made = make(batches, () => device.push(1_000, perSegment));
    return time(() => inTurn(made));
  };
  await copied();
  await pushed();
  const times = await alternate(rounds, copied, pushed);
  return row(name, goal, { events: batches * 1_000, copy: median(times.a), push: median(times.b) });
}

/** Sixteen devices of one account at once: they take turns at the account's row. */
async function benchMany({ sql }: CloudDatabase, rounds: number): Promise<BenchRow> {
  const devices = await makeDevices(sql, 16);
  const table = await makeCopyTable(sql);
  const copies = devices.map(() => table());
  const batches = 12;
  const copied = () => {
    const made = copies.map((copy) => make(batches, () => copy(100)));
    return time(() => Promise.all(made.map(inTurn)));
  };
  const pushed = () => {
    const made = devices.map((device) => make(batches, () => device.push(100, 1)));
    return time(() => Promise.all(made.map(inTurn)));
  };
  await copied();
  await pushed();
  const times = await alternate(rounds, copied, pushed);
  const events = 16 * batches * 100;
  return row("push, 16 devices, batch 100 as rows", "≥ 0.4 x binary COPY", {
    events,
    copy: median(times.a),
    push: median(times.b),
  });
}

function row(name: string, goal: string, found: { events: number; copy: number; push: number }): BenchRow {
  const rate = (took: number) => `${(found.events / took).toFixed(0)} k events/s`;
  return {
    name,
    value: ratio(found.copy / found.push),
    goal,
    detail: `${rate(found.push)}, COPY ${rate(found.copy)}`,
  };
}

type Act = () => Promise<void>;

const make = (times: number, one: () => Act): Act[] => Array.from({ length: times }, one);

async function inTurn(acts: readonly Act[]): Promise<void> {
  for (const act of acts) await act();
}

/** Devices of one account, each with a log that grows with every push. */
async function makeDevices(sql: Sql, count: number) {
  const [accountId, boot] = [randomUUID(), randomUUID()];
  const [{ epoch } = { epoch: "" }] = await sql<
    { epoch: string }[]
  >`insert into accounts (id) values (${accountId}) returning epoch`;
  const port = createSyncPort(sql, { bus: createMemoryPokeBus() });
  return Promise.all(
    Array.from({ length: count }, async () => {
      const deviceId = randomUUID();
      await sql`
        insert into devices (account_id, id, boot_id, sign, agree, roles, platform)
        values (${accountId}, ${deviceId}, ${boot}, ${randomBytes(32)}, ${randomBytes(32)}, '{admin,command,run}', 'linux')`;
      const streamId = randomUUID();
      let next = 1;
      let head = 0;
      return {
        push(events: number, perSegment: number): Act {
          const bytes = Math.max(0, EVENT_BYTES * perSegment - SEAL_BYTES);
          const sealed = seal(perSegment, bytes);
          const { log, blob } = makeLog({ writer: deviceId, streamId, from: next, events, perSegment, ...sealed });
          next += events;
          const text = blob.toString("base64url");
          return async () => {
            const batch = { epoch, boot, cursor: head, since: head, logs: [log], records: [], blob: text };
            const answer = await port.push({ kind: "device", accountId, deviceId }, batch);
            if (!("logs" in answer) || answer.logs[0]?.code !== "OK")
              throw new Error(JSON.stringify(answer).slice(0, 200));
            head = answer.page?.next ?? head;
          };
        },
      };
    }),
  );
}

/** A sealed segment of many events is compressed: a third is what sealed events of a session take. */
function seal(perSegment: number, bytes: number): { bytes: number } {
  return { bytes: perSegment === 1 ? bytes : Math.round(bytes / 3.5) };
}

/** A plain table with the key of an event, and binary COPY into it, a stream for each writer. */
async function makeCopyTable(sql: Sql): Promise<() => (events: number) => Act> {
  const table = `copy_${randomBytes(6).toString("hex")}`;
  await sql.unsafe(
    `create table ${table} (account_id uuid, stream_id uuid, seq bigint, body bytea, primary key (account_id, stream_id, seq))`,
  );
  await sql.unsafe(`alter table ${table} alter column body set storage external`);
  const account = randomBytes(16);
  return () => {
    const key = Buffer.concat([account, randomBytes(16)]);
    let next = 1;
    return (events) => {
      const bytes = copyBytes(events, next, key);
      next += events;
      return async () => pipeline([bytes], await sql.unsafe(`copy ${table} from stdin (format binary)`).writable());
    };
  };
}

/** Rows in PostgreSQL's binary COPY format. */
function copyBytes(events: number, from: number, key: Buffer): Buffer {
  const start = Buffer.concat([Buffer.from("PGCOPY\n\xff\r\n\0", "latin1"), Buffer.alloc(8)]);
  const rows = Array.from({ length: events }, (_, index) => {
    const head = Buffer.alloc(2 + 20 + 20 + 12 + 4);
    head.writeInt16BE(4, 0);
    head.writeInt32BE(16, 2);
    key.copy(head, 6, 0, 16);
    head.writeInt32BE(16, 22);
    key.copy(head, 26, 16, 32);
    head.writeInt32BE(8, 42);
    head.writeBigInt64BE(BigInt(from + index), 46);
    head.writeInt32BE(EVENT_BYTES, 54);
    return Buffer.concat([head, randomBytes(EVENT_BYTES)]);
  });
  const end = Buffer.alloc(2);
  end.writeInt16BE(-1);
  return Buffer.concat([start, ...rows, end]);
}
