import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCloudClient } from "@codehands/api/cloud-client";
import { afterEach, beforeEach, expect, it } from "vitest";
import { pushNote } from "./http/push-note.test-kit.ts";
import { foundAccount, openDevice } from "./open-cloud.test-kit.ts";

const MAIN = new URL("./main.ts", import.meta.url).pathname;
const FIXTURES = new URL("./http/fixtures/", import.meta.url).pathname;
let home: string;
const started: ChildProcess[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "codehands-serve-"));
});
afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    await gone;
  }
  rmSync(home, { recursive: true, force: true });
});

/** Starts the program itself, with its own PostgreSQL in the home. */
function serve(words: string[] = [], environment: Record<string, string> = {}) {
  // Behind a proxy that is trusted, each person of the test has an address of their own.
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    NODE_ENV: "production",
    CODEHANDS_CLOUD_TRUSTED_PROXIES: "127.0.0.1",
    ...environment,
  };
  const child = spawn(process.execPath, ["--conditions=source", "--import", "tsx", MAIN, ...words], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.push(child);
  const said = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (part: string) => (said.out += part));
  child.stderr.setEncoding("utf8").on("data", (part: string) => (said.err += part));
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal, ...said }));
  const ready = async (): Promise<string> => {
    const form = /listening on (\S+) \(port \d+, pid \d+\), ready after (\d+) ms/;
    await expect.poll(() => said.err, { timeout: 60_000 }).toMatch(form);
    const [, url = "", ms] = form.exec(said.err) ?? [];
    console.log(`codehands serve: ready after ${ms} ms`);
    return url;
  };
  return { child, ended, ready, said };
}

it("G01 kill -9 in the middle of pushes loses nothing that was acknowledged, and the next start goes on", async () => {
  const first = serve(["--port", "0"]);
  const url = await first.ready();
  const account = await foundAccount(url);
  const { id, keys } = account.device;
  const push = await pushNote(account);
  const acknowledged: number[] = [];
  const pushing = (async () => {
    for (;;) acknowledged.push(await push());
  })().catch(() => "cut");
  await expect.poll(() => acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(20);
  first.child.kill("SIGKILL");
  await first.ended;
  expect(await pushing).toBe("cut");

  const port = new URL(url).port;
  const second = serve(["--port", port]);
  expect(await second.ready()).toBe(url);
  // The token of before counts, and so does the login.
  expect(await account.device.client.accounts.status.query()).toMatchObject({ devices: 1, rosterSeq: 0 });
  expect(await account.person.client.accounts.status.query()).toMatchObject({ devices: 1 });
  const device = await openDevice(url, { vault: account.roster.vault, id, keys });
  const boot = crypto.randomUUID();
  const copy = await device.client.sync.hello.mutate({ boot, boots: [boot] });
  if (copy.answer !== "COPY") throw new Error(copy.answer);
  // The process of before is an ancestor of this one.
  const hello = await device.client.sync.hello.mutate({ boot, boots: [copy.seen, boot] });
  if (hello.answer !== "OK") throw new Error(hello.answer);
  const versions: number[] = [];
  for (let cursor = 0, more = true; more; ) {
    const page = await device.client.sync.pull.query({ epoch: hello.epoch, cursor, since: null, top: 0, limit: 100 });
    if (!("rows" in page)) throw new Error(JSON.stringify(page));
    versions.push(...page.rows.map((row) => row.version));
    cursor = page.next;
    more = page.more;
  }
  expect(versions).toEqual(expect.arrayContaining(acknowledged));
});

it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "F38 %s ends it in order, its PostgreSQL included",
  async (signal) => {
    const { child, ended, ready } = serve(["--port", "0"]);
    const url = await ready();
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    child.kill(signal);
    expect(await ended).toMatchObject({ code: 0, signal: null, out: expect.stringContaining('"msg":"ended"') });
    await expect(fetch(`${url}/livez`)).rejects.toThrow("fetch failed");
    // The data folder is free: the next one starts on it.
    const next = serve(["--port", "0"]);
    await next.ready();
  },
);

it("everything that is wrong with its settings is told at once, and nothing is started", async () => {
  const { ended } = serve(["--port", "x", "--host", ""], { DATABASE_URL: "mysql://x" });
  const { code, err, out } = await ended;
  expect(code).toBe(2);
  for (const part of ["CODEHANDS_CLOUD_PORT", "DATABASE_URL"]) expect(err).toContain(part);
  expect(out).toBe("");
});

it("a database that is not there is said in a sentence", async () => {
  const { ended } = serve(["--port", "0", "--database-url", "postgres://nobody:pa55word@127.0.0.1:1/none"]);
  const { code, err, out } = await ended;
  expect(code).toBe(1);
  expect(err).toMatch(/^The database cannot be reached\. Nothing was started\./);
  expect(err + out).not.toContain("pa55word");
});

it("--tls serves https, with the login cookie bound to this host", async () => {
  const tls = [`${FIXTURES}cert.pem`, `${FIXTURES}key.pem`];
  const { ready } = serve(["--port", "0", "--tls", ...tls, "--host", "localhost"]);
  const url = await ready();
  expect(url).toMatch(/^https:\/\/localhost:\d+$/);
  const answer = await new Promise<{ status?: number; secure?: string }>((resolve, reject) => {
    const asked = request(`${url}/readyz`, { ca: readFileSync(`${FIXTURES}cert.pem`) }, (incoming) => {
      incoming.resume();
      resolve({
        status: incoming.statusCode,
        secure: incoming.headers["strict-transport-security"],
      });
    });
    asked.on("error", reject);
    asked.end();
  });
  expect(answer).toEqual({ status: 200, secure: "max-age=31536000" });
  const client = createCloudClient({ url: url.replace("https:", "http:") });
  await expect(client.accounts.status.query()).rejects.toMatchObject({ code: "unreachable" });
});
