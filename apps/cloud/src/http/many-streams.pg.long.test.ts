import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { foundAccount, openTestCloud, type TestAccount, type TestCloud } from "../open-cloud.test-kit.ts";
import { pushNote } from "./push-note.test-kit.ts";

const CLIENTS = 500;

let cloud: TestCloud;
let account: TestAccount;
beforeAll(async () => {
  cloud = await openTestCloud();
});
beforeEach(async () => {
  account = await foundAccount(cloud.url);
});
afterAll(() => cloud.close());

/** A listener as bytes: nobody tidies up behind it. */
function listen(): { socket: Socket; heads: number[] } {
  const heads: number[] = [];
  const socket = connect(cloud.cloud.port, "127.0.0.1");
  socket.write(
    `GET /trpc/live.watch?input=%7B%7D HTTP/1.1\r\nHost: 127.0.0.1:${cloud.cloud.port}\r\nAuthorization: Bearer ${account.device.token}\r\n\r\n`,
  );
  socket.setEncoding("utf8").on("data", (part: string) => {
    for (const [, head] of part.matchAll(/"head":(\d+)/g)) heads.push(Number(head));
  });
  socket.on("error", () => {});
  return { socket, heads };
}

test("C102 500 listeners come and go, half of them without a word, and none is left", async () => {
  const push = await pushNote(account);
  for (let round = 0; round < 2; round += 1) {
    const clients = Array.from({ length: CLIENTS }, listen);
    await expect.poll(() => cloud.cloud.listeners().streams, { timeout: 60_000 }).toBe(CLIENTS);
    const head = await push();
    await expect
      .poll(() => clients.filter(({ heads }) => heads.includes(head)).length, { timeout: 60_000 })
      .toBe(CLIENTS);
    for (const [n, { socket }] of clients.entries()) {
      if (n % 2 === 0) socket.destroy();
      else socket.resetAndDestroy();
    }
    await expect.poll(() => cloud.cloud.listeners(), { timeout: 30_000 }).toEqual({ streams: 0, bus: 0 });
  }
});

test("F33 a reader that reads nothing is told the newest head, and holds up nobody", async () => {
  const push = await pushNote(account);
  const slow = listen();
  const quick = listen();
  await expect.poll(() => [slow, quick].every(({ heads }) => heads.length > 0)).toBe(true);
  slow.socket.pause();
  let head = 0;
  for (let n = 0; n < 200; n += 1) head = await push();
  await expect.poll(() => quick.heads.at(-1), { timeout: 30_000 }).toBe(head);
  slow.socket.resume();
  await expect.poll(() => slow.heads.at(-1), { timeout: 30_000 }).toBe(head);
  for (const { socket } of [slow, quick]) socket.destroy();
  await expect.poll(() => cloud.cloud.listeners()).toEqual({ streams: 0, bus: 0 });
});
