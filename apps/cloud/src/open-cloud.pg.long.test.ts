import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { CloudConfig } from "./config.ts";
import { dropTestDatabase, makeTestDatabase } from "./database/test-database.test-kit.ts";
import { explainStartFailure } from "./health/explain-start-failure.ts";
import { pushNote } from "./http/push-note.test-kit.ts";
import { foundAccount, makePerson, openTestCloud, type TestCloud } from "./open-cloud.test-kit.ts";

const open: TestCloud[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});
async function start(options: Parameters<typeof openTestCloud>[0] = {}): Promise<TestCloud> {
  const started = await openTestCloud(options);
  open.push(started);
  return started;
}
const whyNot = async (config: Partial<CloudConfig>, databaseUrl?: string): Promise<string | null> => {
  const starting = openTestCloud({ config, ...(databaseUrl === undefined ? {} : { databaseUrl }) });
  return starting.then(
    () => "it started",
    (error: unknown) => explainStartFailure(error),
  );
};

test("an account from nothing: a login sees how much there is, a device with keys syncs", async () => {
  const { url } = await start();
  const { client } = await makePerson(url);
  expect(await client.accounts.status.query()).toEqual({ vault: null, rosterSeq: -1, devices: 0, sessions: 0 });
  const account = await foundAccount(url);
  const push = await pushNote(account);
  expect(await push()).toBeLessThan(await push());
  expect(await account.person.client.accounts.status.query()).toMatchObject({ rosterSeq: 0, devices: 1 });
});

test("F38 it ends in order: /readyz says 503, streams say bye, the answer under way is given, then nobody listens", async () => {
  const started = await start({ config: { stopNotice: 1 } });
  const { url, cloud } = started;
  const { device } = await foundAccount(url);
  const told: string[] = [];
  const streamEnded = new Promise<void>((resolve) => {
    device.client.live.watch.subscribe(
      {},
      { onData: ({ data }) => told.push(data.kind), onComplete: resolve, onError: () => resolve() },
    );
  });
  await expect.poll(() => told).toEqual(["head"]);
  // A body that comes slowly: its answer is under way all the time.
  const slow = request(`${url}/trpc/accounts.status`, {
    method: "POST",
    headers: { authorization: `Bearer ${device.token}`, "content-type": "application/json", "content-length": 2 },
  });
  const answered = new Promise<number>((resolve, reject) => {
    slow.on("response", (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    slow.on("error", reject);
  });
  slow.write("{");
  const closed = cloud.close();
  const readyz = await fetch(`${url}/readyz`);
  expect([readyz.status, await readyz.json()]).toEqual([503, { ok: false, reason: "stopping" }]);
  expect((await fetch(`${url}/livez`)).status).toBe(200);
  await streamEnded;
  expect(told).toEqual(["head", "bye"]);
  await expect(fetch(`${url}/livez`)).rejects.toThrow("fetch failed");
  slow.end("}");
  expect(await answered).toBe(200);
  await closed;
  expect(cloud.listeners()).toEqual({ streams: 0, bus: 0 });
});

test("two servers on one database start at once, and what one wrote the other answers", async () => {
  const databaseUrl = await makeTestDatabase("empty");
  const secret = randomBytes(32).toString("base64url");
  const both = await Promise.all([
    openTestCloud({ databaseUrl, config: { secret } }),
    openTestCloud({ databaseUrl, config: { secret } }),
  ]);
  const [first, second] = both;
  const account = await foundAccount(first?.url ?? "");
  const answer = await fetch(`${second?.url}/trpc/roster.get`, {
    method: "POST",
    headers: { authorization: `Bearer ${account.device.token}`, "content-type": "application/json" },
    body: "{}",
  });
  expect(answer.status).toBe(200);
  await Promise.all(both.map((each) => each.close()));
  await dropTestDatabase(databaseUrl);
});

test("S9 --restored gives every account a new lineage, and only once", async () => {
  const databaseUrl = await makeTestDatabase("migrated");
  const epochs = async ({ sql }: TestCloud) =>
    (await sql`select epoch from accounts order by id`).map(({ epoch }) => String(epoch));
  const first = await openTestCloud({ databaseUrl });
  await foundAccount(first.url);
  const before = await epochs(first);
  await first.close();
  const second = await openTestCloud({ databaseUrl, config: { restored: true } });
  const restored = await epochs(second);
  expect(restored).not.toEqual(before);
  expect(second.log.join("")).toContain("every account has a new lineage");
  await second.close();
  const third = await openTestCloud({ databaseUrl });
  expect(await epochs(third)).toEqual(restored);
  await third.close();
  await dropTestDatabase(databaseUrl);
});

test("a newer database, one that is not there, and a port that is taken stop the start with what to do", async () => {
  const databaseUrl = await makeTestDatabase("migrated");
  const running = await start({ databaseUrl });
  expect(await whyNot({ port: running.cloud.port }, databaseUrl)).toMatch(
    /Cannot listen on 127\.0\.0\.1:\d+: another program/,
  );
  await running.sql`insert into cloud_schema (version, tag, min_safe_version) values (999, 'later', 999)`;
  expect(await whyNot({}, databaseUrl)).toMatch(/written by a newer version of Code Hands \(schema 999/);
  const nowhere = new URL(databaseUrl);
  nowhere.pathname = "/not_there";
  expect(await whyNot({}, nowhere.href)).toMatch(/has no database of this name/);
  nowhere.port = "1";
  expect(await whyNot({}, nowhere.href)).toMatch(/cannot be reached/);
  expect(await whyNot({ tls: { cert: "/nowhere.pem", key: "/nowhere.pem" } }, databaseUrl)).toMatch(
    /cannot be used \(ENOENT/,
  );
  await open.splice(0)[0]?.close();
  await dropTestDatabase(databaseUrl);
});

test("the secret of logins is made once, for this user alone, and logins outlive a restart", async () => {
  const databaseUrl = await makeTestDatabase("migrated");
  const dataDir = mkdtempSync(join(tmpdir(), "codehands-cloud-data-"));
  const first = await openTestCloud({ databaseUrl, config: { dataDir } });
  const { login } = await makePerson(first.url);
  const { port } = first.cloud;
  await first.close();
  expect(statSync(join(dataDir, "login-secret")).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(dataDir, "login-secret"), "utf8").trim()).toHaveLength(43);
  const second = await openTestCloud({ databaseUrl, config: { dataDir, port } });
  const answer = await fetch(`${second.url}/trpc/accounts.status`, {
    method: "POST",
    headers: { cookie: login, origin: second.url, "content-type": "application/json" },
    body: "{}",
  });
  expect(answer.status).toBe(200);
  await second.close();
  rmSync(dataDir, { recursive: true });
  await dropTestDatabase(databaseUrl);
});
