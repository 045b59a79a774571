/** A cloud over real HTTP and a real PostgreSQL, and people and devices that use it as programs do. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CLOUD_AUTH, CLOUD_ENDPOINT } from "@codehands/api";
import type { WireStatement } from "@codehands/api/cloud";
import { type CloudClient, createCloudClient, logIn, signUp } from "@codehands/api/cloud-client";
import {
  type DeviceKeys,
  foundVault,
  fromBase64url,
  makeDeviceKeys,
  newRecoveryCode,
  type Roster,
  readRecoveryCode,
  recoveryKeys,
  signChallenge,
  toBase64url,
} from "@codehands/vault";
import type { Sql } from "postgres";
import type { CloudConfig } from "./config.ts";
import { connectRaw } from "./database/open-cloud-database.ts";
import { dropTestDatabase, makeTestDatabase } from "./database/test-database.test-kit.ts";
import { openLog } from "./logs/open-log.ts";
import { type Cloud, openCloud } from "./open-cloud.ts";

export const PASSWORD = "a long enough password";

export interface TestCloud {
  cloud: Cloud;
  /** What is dialled. */
  url: string;
  /** A client of its own on the cloud's database. */
  sql: Sql;
  databaseUrl: string;
  log: string[];
  close(): Promise<void>;
}

export interface TestCloudOptions {
  config?: Partial<CloudConfig>;
  streamMs?: number;
  /** Takes this one and leaves it; a fresh one when absent. */
  databaseUrl?: string;
}

/** Starts a cloud on a database of its own. A caller may say where it comes from: `from` in `fetchFrom`. */
export async function openTestCloud(options: TestCloudOptions = {}): Promise<TestCloud> {
  const databaseUrl = options.databaseUrl ?? (await makeTestDatabase("migrated"));
  const dataDir = mkdtempSync(join(tmpdir(), "codehands-cloud-"));
  const log: string[] = [];
  const config: CloudConfig = {
    host: "127.0.0.1",
    port: 0,
    origins: [],
    tls: null,
    databaseUrl,
    dataDir,
    secret: null,
    trustedProxies: ["127.0.0.1"],
    signUp: "open",
    logLevel: "info",
    stopNotice: 0,
    restored: false,
    ...options.config,
  };
  const cloud = await openCloud({
    config,
    log: openLog({ level: config.logLevel, write: (line) => log.push(line) }),
    ...(options.streamMs === undefined ? {} : { streamMs: options.streamMs }),
  });
  const sql = connectRaw(databaseUrl, 2);
  return {
    cloud,
    url: cloud.origins[0] ?? "",
    sql,
    databaseUrl,
    log,
    async close() {
      await cloud.close();
      await sql.end({ timeout: 0 });
      rmSync(dataDir, { recursive: true, force: true });
      if (options.databaseUrl === undefined) await dropTestDatabase(databaseUrl);
    },
  };
}

let addresses = 0;
/** An address that nobody else of this run has: limits count by it. */
export function freshAddress(): string {
  addresses += 1;
  return `198.18.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`;
}

/** `fetch` as it comes from an address, through a proxy that the cloud trusts. */
export const fetchFrom =
  (address: string): typeof fetch =>
  (url, init) => {
    const headers = new Headers(init?.headers);
    headers.set("x-forwarded-for", address);
    return fetch(url, { ...init, headers });
  };

export interface Person {
  email: string;
  login: string;
  /** Calls with the login only. */
  client: CloudClient;
}

/** Signs a person up and logs them in. */
export async function makePerson(url: string): Promise<Person> {
  const email = `${randomUUID()}@example.org`;
  const ask = fetchFrom(freshAddress());
  await signUp(url, { email, password: PASSWORD }, ask);
  const { login } = await logIn(url, { email, password: PASSWORD }, ask);
  if (login === null) throw new Error("no cookie came with the login");
  return { email, login, client: createCloudClient({ url, login, fetch: ask }) };
}

export interface TestDevice {
  id: string;
  keys: DeviceKeys;
  token: string;
  /** Calls with the access token. */
  client: CloudClient;
}

/** A client with an access token. */
export function clientOf(url: string, token: string): CloudClient {
  return createCloudClient({ url, token: () => token, fetch: fetchFrom(freshAddress()) });
}

export interface TokenWish {
  vault: Uint8Array;
  id: string;
  keys: DeviceKeys;
  /** What is signed; the cloud's own when absent. */
  origin?: string;
  statements?: WireStatement[];
}

/** Asks for an access token as a device does: a challenge, signed for the origin that was dialled. */
export async function askToken(url: string, { vault, id, keys, origin = url, statements }: TokenWish) {
  const client = createCloudClient({ url, fetch: fetchFrom(freshAddress()) });
  const vaultId = toBase64url(vault);
  const { challenge } = await client.devices.challenge.mutate({ vaultId, deviceId: id });
  const about = { origin, vault, device: id, challenge: fromBase64url(challenge) };
  const signature = toBase64url(await signChallenge(about, keys.sign.privateKey));
  const proof = { vaultId, deviceId: id, challenge, signature };
  return client.devices.token.mutate(statements === undefined ? proof : { ...proof, statements });
}

/** A device that has its token. */
export async function openDevice(
  url: string,
  device: { vault: Uint8Array; id: string; keys: DeviceKeys },
): Promise<TestDevice> {
  const answer = await askToken(url, device);
  if (!answer.ok) throw new Error(`no token: ${answer.code}`);
  return { id: device.id, keys: device.keys, token: answer.token, client: clientOf(url, answer.token) };
}

export interface TestAccount {
  person: Person;
  device: TestDevice;
  roster: Roster;
  recovery: DeviceKeys;
  /** As a person would write it down. */
  recoveryCode: string;
  /** What the devices call the account. */
  label?: string;
  /** The root keys of all epochs. */
  roots: { epoch: number; root: Uint8Array }[];
}

/** A person with a vault and its first device. */
export async function foundAccount(url: string): Promise<TestAccount> {
  const person = await makePerson(url);
  const id = randomUUID();
  const keys = await makeDeviceKeys({ extractable: true });
  const recoveryCode = await newRecoveryCode();
  const code = await readRecoveryCode(recoveryCode);
  if (!code.ok) throw new Error(code.code);
  const recovery = await recoveryKeys(code.value);
  const founded = await foundVault({ id, keys, platform: "linux", recovery, at: new Date().toISOString() });
  const { statement, envelopes, roster, root } = founded;
  const appended = await person.client.roster.append.mutate({ statements: [statement], envelopes });
  if (!appended.ok) throw new Error(`no vault: ${appended.code} ${appended.reason}`);
  return {
    person,
    device: await openDevice(url, { vault: roster.vault, id, keys }),
    roster,
    recovery,
    recoveryCode,
    roots: [{ epoch: 1, root }],
  };
}

/** One POST of a call with headers of the caller's choice; what came back, whatever it is. */
export async function postCall(
  url: string,
  call: { path: string; input?: unknown; headers?: Record<string, string> },
): Promise<{ status: number; body: unknown; headers: Headers }> {
  const answer = await fetch(`${url}${CLOUD_ENDPOINT}/${call.path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": freshAddress(), ...call.headers },
    body: JSON.stringify(call.input ?? {}),
  });
  return { status: answer.status, body: await answer.json().catch(() => null), headers: answer.headers };
}

/** One POST of the logins with headers of the caller's choice. */
export async function postAuth(
  url: string,
  call: { path: string; input: unknown; headers?: Record<string, string> },
): Promise<{ status: number; body: string; headers: Headers }> {
  const answer = await fetch(`${url}${CLOUD_AUTH}/${call.path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": freshAddress(), ...call.headers },
    body: JSON.stringify(call.input),
  });
  return { status: answer.status, body: await answer.text(), headers: answer.headers };
}

/** The status of one sign-in, by default from a place of its own. */
export async function signInStatus(
  url: string,
  { from = freshAddress(), ...input }: { email: string; password: string; from?: string },
): Promise<number> {
  return (await postAuth(url, { path: "sign-in/email", input, headers: { "x-forwarded-for": from } })).status;
}
