import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DaemonFile } from "@codehands/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readDaemonConfig } from "./config.ts";
import { rawRequest } from "./http/raw-request.test-kit.ts";
import { type Daemon, openDaemon } from "./open-daemon.ts";

let home: string;
const open: Daemon[] = [];
beforeEach(() => {
  home = join(mkdtempSync(join(tmpdir(), "codehands-home-")), "home");
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((daemon) => daemon.close()));
  rmSync(join(home, ".."), { recursive: true, force: true });
});

async function start(file: object = { port: 17_433 }): Promise<Daemon> {
  if (existsSync(home)) writeFileSync(join(home, "config.json"), JSON.stringify(file));
  const reading = readDaemonConfig({ CODEHANDS_HOME: home, HOME: home, PATH: process.env.PATH });
  if (!reading.ok) throw new Error(reading.problems.join("\n"));
  const daemon = await openDaemon(reading.config);
  open.push(daemon);
  return daemon;
}

const daemonFile = () => JSON.parse(readFileSync(join(home, "daemon.json"), "utf8")) as DaemonFile;
const call = (daemon: Daemon, path: string, body: unknown = {}) =>
  rawRequest({
    port: daemon.port,
    method: "POST",
    path: `/trpc/${path}`,
    headers: {
      host: `127.0.0.1:${daemon.port}`,
      authorization: `Bearer ${daemon.token}`,
      "content-type": "application/json",
    },
    body: JSON.stringify(body),
  });

describe("the daemon of one home", () => {
  it("serves its ports, tells how to reach it, and leaves nothing behind that says it still runs", async () => {
    const daemon = await start();
    const about = daemonFile();
    expect(about).toMatchObject({ pid: process.pid, port: daemon.port, token: daemon.token, protocol: 1 });
    expect(Buffer.from(about.token, "base64url")).toHaveLength(32);
    expect(statSync(join(home, "daemon.json")).mode & 0o777).toBe(0o600);
    expect(statSync(home).mode & 0o777).toBe(0o700);
    const health = JSON.parse((await call(daemon, "health.health")).body) as { result: { data: object } };
    expect(health.result.data).toMatchObject({ ok: true, bootId: about.bootId, homeId: about.homeId, running: 0 });
    await daemon.close();
    expect(existsSync(join(home, "daemon.json"))).toBe(false);
    const next = await start();
    expect(daemonFile()).toMatchObject({ homeId: about.homeId });
    expect(daemonFile().bootId).not.toBe(about.bootId);
    expect(next.token).not.toBe(daemon.token);
  });

  it("G08 C089 F11 a second one is refused, names the first, and takes nothing from it", async () => {
    const first = await start();
    await expect(start()).rejects.toMatchObject({
      code: "home_in_use",
      message: expect.stringMatching(new RegExp(`${home}.*pid ${process.pid}.*codehands daemon stop`)),
    });
    expect((await call(first, "health.health")).status).toBe(200);
    expect(daemonFile().token).toBe(first.token);
  });

  it("F38 ends in order", async () => {
    const daemon = await start();
    await daemon.close();
    const steps = readFileSync(join(home, "logs/daemon.log"), "utf8")
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { step?: string }).step)
      .filter((step) => step !== undefined);
    expect(steps).toEqual(["http", "supervisor", "database", "daemon.json", "lock", "log"]);
  });

  it("answers the call that ends it, then ends", async () => {
    const daemon = await start();
    expect((await call(daemon, "health.shutdown")).status).toBe(200);
    await daemon.closed;
    await expect(call(daemon, "health.health")).rejects.toMatchObject({ code: "ECONNREFUSED" });
    expect(existsSync(join(home, "daemon.json"))).toBe(false);
  });

  it("moves to another port when the wished one is taken, tells it, and stays there", async () => {
    const stranger = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => stranger.once("listening", resolve));
    const { port } = stranger.address() as { port: number };
    await (await start()).close();
    const daemon = await start({ port });
    expect(daemon.port).toBeGreaterThan(port);
    expect(readFileSync(join(home, "logs/daemon.log"), "utf8")).toContain("the wished port is taken");
    await daemon.close();
    await new Promise((resolve) => stranger.close(resolve));
    expect((await start({})).port).toBe(daemon.port);
  });

  it("C116 C122 never writes its token into the log", async () => {
    const daemon = await start();
    await call(daemon, `sessions.list?token=${daemon.token}`);
    await call(daemon, daemon.token);
    daemon.log.error({ error: new Error(`broke near ${daemon.token}`) }, "a fault");
    await daemon.close();
    const log = readFileSync(join(home, "logs/daemon.log"), "utf8");
    expect(log).toContain("broke near");
    expect(log).not.toContain(daemon.token);
  });
});

describe("a home that it does not start in", () => {
  it("one that others can write to; it is left as it is", async () => {
    execFileSync("mkdir", ["-m", "777", home]);
    await expect(start()).rejects.toMatchObject({
      code: "home_not_private",
      message: expect.stringContaining("chmod 700"),
    });
    expect(statSync(home).mode & 0o777).toBe(0o777);
  });

  it("F06 one whose database is damaged: the lock is free again, the file is kept", async () => {
    await (await start()).close();
    writeFileSync(join(home, "state.db"), "this is no database, and it never was one".repeat(200));
    for (let round = 0; round < 2; round += 1)
      await expect(start()).rejects.toMatchObject({ code: "database_damaged" });
    expect(readFileSync(join(home, "state.db"), "utf8")).toContain("this is no database");
    expect(existsSync(join(home, "daemon.json"))).toBe(false);
  });
});
