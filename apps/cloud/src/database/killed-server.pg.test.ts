import type { Sql } from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createMemoryPokeBus } from "../live/poke-bus.ts";
import { createSyncPort } from "../sync/create-sync-port.ts";
import { feedSum } from "../sync/feed-sum.test-kit.ts";
import { codes, newId, pullAll, stageDevice } from "../sync/sync-stage.test-kit.ts";
import { connectRaw, openCloudDatabase } from "./open-cloud-database.ts";
import { makeAccount } from "./test-database.test-kit.ts";
import { type KillableServer, startKillableServer } from "./test-server.test-kit.ts";

let server: KillableServer;
beforeAll(async () => {
  server = await startKillableServer();
});
afterAll(() => server.remove());

const uncaught: unknown[] = [];
const note = (error: unknown) => void uncaught.push(error);
beforeEach(async () => {
  // What a test left dead is no reason for the next to fail.
  await server.restart();
  uncaught.length = 0;
  process.on("uncaughtExceptionMonitor", note);
  process.on("unhandledRejection", note);
});
afterEach(() => {
  process.off("uncaughtExceptionMonitor", note);
  process.off("unhandledRejection", note);
});

/** The server was killed first, or told its own children first. */
const AWAY = ["CONNECTION_CLOSED", "ECONNRESET", "EPIPE", "57P01", "57P02"];

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (error: unknown) => String((error as { code?: unknown }).code),
  );

function gate<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Asks until the server answers again. */
async function untilUp(sql: Sql): Promise<void> {
  const end = Date.now() + 20_000;
  while ((await codeOf(sql`select 1`)) !== "done") if (Date.now() > end) throw new Error("the server stays away");
}

test("C105 F07 PostgreSQL killed inside a transaction: a typed refusal, no uncaught error, and every place of the pool works again", async () => {
  const sql = connectRaw(server.url, 3);
  await sql`create table if not exists notes (id integer)`;
  for (let round = 0; round < 2; round++) {
    let inside = 0;
    const transactions = Array.from({ length: 3 }, (_, place) =>
      sql.begin(async (own) => {
        await own`insert into notes values (${place})`;
        // Not before each has its connection: one that was still to connect would only be refused.
        if (++inside === 3) server.kill();
        // Goes on talking on a connection that is gone.
        for (;;) await own`select ${place}::integer`;
      }),
    );
    for (const outcome of await Promise.all(transactions.map(codeOf))) expect(AWAY).toContain(outcome);
    await server.restart();
    await untilUp(sql);
    const backends = new Set<number | undefined>();
    await Promise.all(
      Array.from({ length: 3 }, () =>
        sql.begin(async (own) => {
          const [row] = await own<{ pid: number }[]>`select pg_backend_pid() as pid`;
          backends.add(row?.pid);
          // None gives its connection back before each has one.
          await expect.poll(() => backends.size).toBe(3);
        }),
      ),
    );
  }
  expect(await sql`select * from notes`).toHaveLength(0);
  expect(uncaught).toEqual([]);
  await sql.end();
});

test("a statement of a lost transaction never goes out on the connection that took its place", async () => {
  const sql = connectRaw(server.url, 1);
  await sql`create table if not exists strays (id integer)`;
  const inside = gate<void>();
  const goOn = gate<void>();
  const late = gate<string>();
  const outcome = codeOf(
    sql.begin(async (own) => {
      await own`select 1`;
      inside.resolve();
      await goOn.promise;
      const code = await codeOf(own`insert into strays values (1)`);
      late.resolve(code);
    }),
  );
  await inside.promise;
  server.kill();
  expect(AWAY).toContain(await outcome);
  await server.restart();
  await untilUp(sql);
  goOn.resolve();
  expect(AWAY).toContain(await late.promise);
  expect(await sql`select * from strays`).toHaveLength(0);
  expect(uncaught).toEqual([]);
  await sql.end();
});

test("G14 F07 C104 PostgreSQL killed in the middle of pushes: unavailable, and after the retries nothing is lost and nothing is there twice", async () => {
  const database = await openCloudDatabase(server.url, { connections: 4 });
  const { accountId, epoch, devices } = await makeAccount(database.sql, 4);
  const port = createSyncPort(database.sql, { bus: createMemoryPokeBus() });
  const acknowledged: { streamId: string; events: number }[] = [];
  let unavailable = 0;
  let kills = 0;
  let restarted = Promise.resolve();

  const pushUntilTaken = async (place: number, round: number): Promise<void> => {
    const ids = devices[place];
    if (ids === undefined) throw new Error("no device");
    const device = stageDevice(port, { accountId, epoch, ...ids });
    const items = { logs: [{ streamId: newId(), from: 1, events: 20, perSegment: 5 }] };
    const end = Date.now() + 20_000;
    for (let tries = 0; Date.now() < end; tries++) {
      const pushing = device.push(items);
      if (place === 0 && tries === 0 && round % 3 === 1) {
        server.kill();
        kills++;
        restarted = server.restart();
      }
      const outcome = await pushing.catch((error: unknown) => String((error as { code?: unknown }).code));
      if (outcome === "unavailable") {
        unavailable++;
        continue;
      }
      if (typeof outcome === "string") throw new Error(`not typed: ${outcome}`);
      expect(codes(outcome)).toEqual(["OK"]);
      acknowledged.push({ streamId: items.logs[0]?.streamId ?? "", events: 20 });
      return;
    }
    throw new Error("never taken");
  };
  for (let round = 0; round < 8; round++) {
    // One kill at a time: only a server that is up again can be killed.
    if (round % 3 === 1) await restarted;
    await Promise.all(devices.map((_, place) => pushUntilTaken(place, round)));
  }
  // The last pushes may have been taken just before the kill: then nobody has waited for the server yet.
  await restarted;
  await untilUp(database.sql);

  expect(kills).toBeGreaterThan(1);
  expect(unavailable).toBeGreaterThan(0);
  const [first] = devices;
  if (first === undefined) throw new Error("no device");
  const { rows, page } = await pullAll(stageDevice(port, { accountId, epoch, ...first }));
  const held = new Map(rows.map((row) => [row.row === "log" ? row.streamId : "", row]));
  for (const { streamId, events } of acknowledged) expect(held.get(streamId)).toMatchObject({ lastSeq: events });
  expect(held.size).toBe(acknowledged.length);
  expect(page.sum).toBe(feedSum(rows));
  const [{ events, pieces } = { events: 0, pieces: 0 }] = await database.sql<{ events: number; pieces: number }[]>`
    select coalesce(sum(to_seq - from_seq + 1), 0)::bigint as events, count(*) as pieces from segments`;
  expect([events, pieces]).toEqual([20 * acknowledged.length, 4 * acknowledged.length]);
  expect(uncaught).toEqual([]);
  await database.close();
});

test("C104 the client ended in the middle of a push: a typed refusal within its patience", async () => {
  const database = await openCloudDatabase(server.url);
  const { accountId, epoch, devices } = await makeAccount(database.sql, 1);
  const [ids] = devices;
  if (ids === undefined) throw new Error("no device");
  const device = stageDevice(createSyncPort(database.sql, { bus: createMemoryPokeBus() }), {
    accountId,
    epoch,
    ...ids,
  });
  const other = connectRaw(server.url, 1);
  await other.begin(async (own) => {
    // The push waits for the account's row.
    await own`select 1 from accounts where id = ${accountId} for update`;
    const pushing = codeOf(device.push({ logs: [{ streamId: newId(), from: 1, events: 1 }] }));
    await database.close(1);
    expect(await pushing).toBe("unavailable");
  });
  await other.end();
});
