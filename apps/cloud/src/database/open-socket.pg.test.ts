import { once } from "node:events";
import { createServer, Socket } from "node:net";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectRaw } from "./open-cloud-database.ts";
import { openSocket } from "./open-socket.ts";
import { dropTestDatabase, makeTestDatabase } from "./test-database.test-kit.ts";

let url: string;
beforeAll(async () => {
  url = await makeTestDatabase("empty");
});
afterAll(() => dropTestDatabase(url));

/** What Node notes on a socket whose Nagle algorithm was turned off. */
function isWithoutNagle(socket: Socket): boolean {
  const key = Object.getOwnPropertySymbols(socket).find((symbol) => symbol.description === "kSetNoDelay");
  return key !== undefined && Reflect.get(socket, key) === true;
}

test("the client's connections send at once (TCP_NODELAY), which the library leaves off by itself", async () => {
  const { port, hostname } = new URL(url);
  const socket = openSocket({ host: [hostname], port: [Number(port)] });
  const plain = new Socket();
  expect([isWithoutNagle(socket), isWithoutNagle(plain)]).toEqual([true, false]);
  await once(socket, "connect");
  socket.destroy();

  const used: Socket[] = [];
  const sql = postgres(url, {
    max: 1,
    ...{ socket: (target: Parameters<typeof openSocket>[0]) => used[used.push(openSocket(target)) - 1] },
  });
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
  expect(used.map(isWithoutNagle)).toEqual([true]);
  await sql.end();
});

test("nobody listening is a typed refusal, and the same client works once somebody does", async () => {
  const away = createServer();
  away.listen(0, "127.0.0.1");
  await once(away, "listening");
  const address = away.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  away.close();
  await once(away, "close");
  const target = new URL(url);
  const real = Number(target.port);
  target.port = String(address.port);
  const sql = connectRaw(target.href, 2);
  for (let round = 0; round < 2; round++)
    await expect(Promise.all([sql`select 1`, sql`select 1`, sql`select 1`])).rejects.toMatchObject({
      code: "ECONNREFUSED",
    });

  const proxy = createServer((from) => {
    const to = openSocket({ host: "127.0.0.1", port: real });
    from.pipe(to).pipe(from);
    for (const each of [from, to]) each.on("error", () => {});
  });
  proxy.listen(address.port, "127.0.0.1");
  await once(proxy, "listening");
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
  await sql.end();
  proxy.close();
});

test("numbers, bytes and instants come as this program reads them", async () => {
  const sql = connectRaw(url, 1);
  const [row] = await sql`
    select 9007199254740991::bigint as big, '\\x00ff'::bytea as bytes, '2026-01-02T03:04:05Z'::timestamptz as at`;
  expect(row).toEqual({ big: 9007199254740991, bytes: Buffer.from([0, 255]), at: new Date("2026-01-02T03:04:05Z") });
  await sql.end();
});
