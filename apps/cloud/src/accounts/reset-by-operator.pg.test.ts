import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "@codehands/pg-embedded";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBesideCloud } from "../database/open-beside-cloud.ts";
import { dropTestDatabase, makeTestDatabase } from "../database/test-database.test-kit.ts";
import { openOperatorLog } from "../logs/open-operator-log.ts";
import { makePerson, openTestCloud, type TestCloud } from "../open-cloud.test-kit.ts";
import { type OperatorOutcome, resetByOperator } from "./reset-by-operator.ts";

const PASSWORD = "another long password";
const dataDir = mkdtempSync(join(tmpdir(), "codehands-operator-"));
let cloud: TestCloud;
beforeAll(async () => {
  cloud = await openTestCloud();
});
afterAll(async () => {
  await cloud.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const elsewhere: string[] = [];
const log = openOperatorLog(dataDir, (line) => elsewhere.push(line));
interface Wish {
  password?: string;
  databaseUrl?: string | null;
  folder?: string;
}
const reset = (
  email: string,
  { password = PASSWORD, databaseUrl = cloud.databaseUrl, folder = dataDir }: Wish = {},
): Promise<OperatorOutcome> => resetByOperator({ place: { databaseUrl, dataDir: folder }, email, password, log });

test("it says what happened and what to do next, and leaves one line without e-mail and password", async () => {
  const { email } = await makePerson(cloud.url);
  const done = await reset(` ${email.toUpperCase()} `);
  expect(done).toEqual({
    ok: true,
    email,
    accountId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    endedLogins: 1,
    devices: 0,
    message: `${email} has a new password. The one login that was open is ended. Devices, keys and what is sealed were not touched.`,
    next: "Sign in with the new password. Devices that are paired go on as before; a new device still needs a pairing or the recovery code.",
  });
  expect(await reset(email)).toMatchObject({ ok: true, message: expect.stringContaining("No browser was signed in.") });
  const file = join(dataDir, "operator.log");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const lines = readFileSync(file, "utf8").trim().split("\n");
  expect(lines).toHaveLength(2);
  const accountId = done.ok ? done.accountId : "";
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    accountId,
    endedLogins: 1,
    msg: "an operator set a new password",
  });
  for (const secret of [email, PASSWORD, "example.org", "scrypt"]) expect(lines.join("\n")).not.toContain(secret);
  expect(elsewhere).toEqual([]);
});

test("the rules of a sign-up hold, and nobody is asked for what cannot be", async () => {
  const { email, client } = await makePerson(cloud.url);
  for (const password of ["short", "", "x".repeat(257)])
    expect(await reset(email, { password })).toMatchObject({ ok: false, code: "usage" });
  expect(await reset("nobody")).toMatchObject({ ok: false, code: "usage" });
  const unknown = await reset("nobody@example.org");
  expect(unknown).toMatchObject({ ok: false, code: "no_account" });
  const reason = unknown.ok ? "" : unknown.reason;
  const { host, pathname, password } = new URL(cloud.databaseUrl);
  expect(reason).toBe(`There is no login nobody@example.org in the database ${host}${pathname}. Nothing was changed.`);
  expect(password).not.toBe("");
  expect(await client.accounts.status.query()).toMatchObject({ devices: 0 });
});

test("a folder or a database that is no cloud's is left as it is", async () => {
  const folder = join(dataDir, "nowhere");
  expect(await reset("a@example.org", { databaseUrl: null, folder })).toMatchObject({ ok: false, code: "no_cloud" });
  expect(existsSync(folder)).toBe(false);
  const empty = await makeTestDatabase("empty");
  expect(await reset("a@example.org", { databaseUrl: empty })).toMatchObject({ ok: false, code: "no_cloud" });
  const opened = await openTestCloud({ databaseUrl: empty });
  await opened.sql`insert into cloud_schema (version, tag, min_safe_version) values (999, 'later', 999)`;
  expect(await reset("a@example.org", { databaseUrl: empty })).toMatchObject({ ok: false, code: "newer" });
  await opened.close();
  await dropTestDatabase(empty);
});

test("a database that cannot be reached, or lets nobody in, is said in words", async () => {
  const closed = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => closed.once("listening", resolve));
  const { port } = closed.address() as { port: number };
  await new Promise((resolve) => closed.close(resolve));
  const nobody = await reset("a@example.org", { databaseUrl: `postgres://a:b@127.0.0.1:${port}/c` });
  expect(nobody).toMatchObject({ ok: false, code: "unreachable" });
  expect(nobody.ok ? "" : nobody.reason).toContain("cannot be reached. Nothing was changed.");
  const wrong = new URL(cloud.databaseUrl);
  wrong.password = "not-this-one";
  const refused = await reset("a@example.org", { databaseUrl: wrong.href });
  expect(refused).toMatchObject({ ok: false, code: "unreachable" });
  expect(refused.ok ? "" : refused.reason).toContain("does not accept this user and password. Nothing was changed.");
});

test("beside a living owner whose server is gone no second server is started", async () => {
  const folder = join(dataDir, "cloud");
  const server = await startEmbedded({ dataDir: join(folder, "database"), settings: { fsync: false } });
  process.kill(server.pid, "SIGKILL");
  const before = readdirSync(join(folder, "database"));
  const busy = await openBesideCloud({ databaseUrl: null, dataDir: folder }, 200);
  expect(busy).toMatchObject({ ok: false, code: "busy", reason: expect.stringContaining(`process ${process.pid}`) });
  expect(readdirSync(join(folder, "database"))).toEqual(before);
  await server.stop();
});
