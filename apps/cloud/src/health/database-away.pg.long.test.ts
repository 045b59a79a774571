import { logIn } from "@codehands/api/cloud-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type KillableServer, startKillableServer } from "../database/test-server.test-kit.ts";
import { pushNote } from "../http/push-note.test-kit.ts";
import {
  fetchFrom,
  foundAccount,
  freshAddress,
  openTestCloud,
  PASSWORD,
  type TestCloud,
} from "../open-cloud.test-kit.ts";

let server: KillableServer;
let cloud: TestCloud;
beforeAll(async () => {
  server = await startKillableServer();
  cloud = await openTestCloud({ databaseUrl: server.url });
});
afterAll(async () => {
  await cloud.close();
  await server.remove();
});

test("G14 a database that is killed: the cloud stays up, says so everywhere, and goes on when it is back", async () => {
  const { url } = cloud;
  const account = await foundAccount(url);
  const push = await pushNote(account);
  const before = await push();
  server.kill();
  const readyz = async () => (await fetch(`${url}/readyz`)).status;
  await expect.poll(readyz).toBe(503);
  expect((await fetch(`${url}/livez`)).status).toBe(200);
  const away = { code: "unavailable" };
  await expect(account.device.client.roster.get.query({})).rejects.toMatchObject(away);
  await expect(account.person.client.accounts.status.query()).rejects.toMatchObject(away);
  await expect(push()).rejects.toMatchObject(away);
  const ask = fetchFrom(freshAddress());
  await expect(logIn(url, { email: account.person.email, password: PASSWORD }, ask)).rejects.toMatchObject(away);
  await server.restart();
  await expect.poll(readyz, { timeout: 30_000 }).toBe(200);
  expect(await account.device.client.roster.get.query({})).toMatchObject({ seq: 0 });
  expect(await push()).toBe(before + 1);
  await logIn(url, { email: account.person.email, password: PASSWORD }, ask);
});
