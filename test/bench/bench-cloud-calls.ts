import { randomBytes, randomUUID } from "node:crypto";
import { createMemoryPokeBus } from "@codehands/cloud/poke-bus";
import { makeLog, makeRecord } from "@codehands/cloud/sealed-items";
import { createSyncPort } from "@codehands/cloud/sync";
import { RECORD_KINDS } from "@codehands/contracts";
import type { Sql } from "postgres";
import { alternate, type BenchRow, median, ratio, time } from "./measure.ts";

const CALLS = 200;
/** A session record with a title and a prompt, sealed. */
const RECORD_BYTES = 1_000;
const PAGE = 100;

/** How many calls one device makes in a second, one after the other, against one bare statement for each. */
export async function benchCalls(sql: Sql, rounds: number): Promise<BenchRow[]> {
  const caller = await makeCaller(sql);
  const port = createSyncPort(sql, { bus: createMemoryPokeBus() });
  return [
    await benchPush({ sql, port, caller, rounds, events: 1 }),
    await benchPush({ sql, port, caller, rounds, events: 100 }),
    await benchPull({ sql, port, caller, rounds }),
  ];
}

type Port = ReturnType<typeof createSyncPort>;
type Caller = Awaited<ReturnType<typeof makeCaller>>;
interface Bench {
  sql: Sql;
  port: Port;
  caller: Caller;
  rounds: number;
}

async function makeCaller(sql: Sql) {
  const [accountId, deviceId, boot] = [randomUUID(), randomUUID(), randomUUID()];
  const [account] = await sql<{ epoch: string }[]>`insert into accounts (id) values (${accountId}) returning epoch`;
  await sql`
    insert into devices (account_id, id, boot_id, sign, agree, roles, platform)
    values (${accountId}, ${deviceId}, ${boot}, ${randomBytes(32)}, ${randomBytes(32)}, '{admin,command,run}', 'linux')`;
  return { device: { kind: "device" as const, accountId, deviceId }, boot, epoch: account?.epoch ?? "" };
}

/** Pushes of one segment, against an insert of the same bytes that commits alone. */
async function benchPush({ sql, port, caller, rounds, events }: Bench & { events: number }): Promise<BenchRow> {
  const { device, boot, epoch } = caller;
  const table = `bare_${randomBytes(6).toString("hex")}`;
  await sql.unsafe(`create table ${table} (stream uuid, seq bigint, body bytea, primary key (stream, seq))`);
  const insert = `insert into ${table} (stream, seq, body) values ($1, $2, $3)`;
  const streamId = randomUUID();
  let [next, cursor, seq] = [1, (await headOf(port, caller)) ?? 0, 0];
  const pushed = () => {
    const made = Array.from({ length: CALLS }, () => {
      const { log, blob } = makeLog({ writer: device.deviceId, streamId, from: next, events, bytes: 200 * events });
      next += events;
      return { log, text: blob.toString("base64url") };
    });
    return time(async () => {
      for (const { log, text } of made) {
        const batch = { epoch, boot, cursor, since: cursor, logs: [log], records: [], blob: text };
        const answer = await port.push(device, batch);
        if (!("logs" in answer) || answer.logs[0]?.code !== "OK") throw new Error(JSON.stringify(answer).slice(0, 200));
        cursor = answer.page?.next ?? cursor;
      }
    });
  };
  const bare = () => {
    const body = randomBytes(176 + 200 * events);
    return time(async () => {
      for (let call = 0; call < CALLS; call++) await sql.unsafe(insert, [streamId, ++seq, body], { prepare: true });
    });
  };
  await bare();
  await pushed();
  const times = await alternate(rounds, bare, pushed);
  const name = events === 1 ? "pushes of one event, one device" : `pushes of ${events} events, one device`;
  return callsRow({ name, goal: events === 100 ? "≥ 250 /s" : "its share of a bare commit", times });
}

/** Pages of a hundred records, against the bare query of the same rows. */
async function benchPull({ sql, port, caller, rounds }: Bench): Promise<BenchRow> {
  const { device, boot, epoch } = caller;
  const from = (await headOf(port, caller)) ?? 0;
  const kind = RECORD_KINDS.session;
  for (let push = 0; push < 10; push++) {
    const records = Array.from({ length: PAGE }, () =>
      makeRecord({ writer: device.deviceId, kind, id: randomUUID(), bytes: RECORD_BYTES }),
    );
    await port.push(device, { epoch, boot, cursor: Number.MAX_SAFE_INTEGER, since: null, logs: [], records, blob: "" });
  }
  const cursors = Array.from({ length: CALLS }, (_, call) => from + (call % 10) * PAGE);
  const pulled = () =>
    time(async () => {
      for (const cursor of cursors) {
        const page = await port.pull(device, { epoch, cursor, since: cursor, top: cursor, limit: PAGE });
        if (!("rows" in page) || page.rows.length !== PAGE) throw new Error(JSON.stringify(page).slice(0, 200));
      }
    });
  const bare = () =>
    time(async () => {
      for (const cursor of cursors)
        await sql`
          select * from records where account_id = ${device.accountId} and version > ${cursor} order by version limit ${PAGE}`;
    });
  await bare();
  await pulled();
  return callsRow({
    name: `pulls of ${PAGE} records, one device`,
    goal: "its share of a bare query",
    times: await alternate(rounds, bare, pulled),
  });
}

async function headOf(port: Port, { device, epoch }: Caller): Promise<number | null> {
  const page = await port.pull(device, { epoch, cursor: 0, since: null, top: 0, limit: 1 });
  return "head" in page ? page.head : null;
}

function callsRow(found: { name: string; goal: string; times: { a: number[]; b: number[] } }): BenchRow {
  const { name, goal, times } = found;
  const rate = (took: number) => `${((CALLS / took) * 1_000).toFixed(0)} /s`;
  const [bare, own] = [median(times.a), median(times.b)];
  return { name, value: `${rate(own)} (${ratio(bare / own)})`, goal, detail: `one bare statement each: ${rate(bare)}` };
}
