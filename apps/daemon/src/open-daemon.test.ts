import { execFileSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callRaw, openTempHome } from "./open-daemon.test-kit.ts";

let machine: ReturnType<typeof openTempHome>;
let home: string;
beforeEach(() => {
  machine = openTempHome();
  home = machine.home;
});
afterEach(() => machine.remove());

const start = (file?: object) => machine.start(file);

describe("the daemon of one home", () => {
  it("serves its ports, tells how to reach it, and leaves nothing behind that says it still runs", async () => {
    const daemon = await start();
    const about = machine.daemonFile();
    expect(about).toMatchObject({ pid: process.pid, port: daemon.port, token: daemon.token, protocol: 1 });
    expect(Buffer.from(about.token, "base64url")).toHaveLength(32);
    expect(statSync(join(home, "daemon.json")).mode & 0o777).toBe(0o600);
    expect(statSync(home).mode & 0o777).toBe(0o700);
    const health = JSON.parse((await callRaw(daemon, "health.health")).body) as { result: { data: object } };
    expect(health.result.data).toMatchObject({ ok: true, bootId: about.bootId, homeId: about.homeId, running: 0 });
    await daemon.close();
    expect(machine.isAnnounced()).toBe(false);
    const next = await start();
    expect(machine.daemonFile()).toMatchObject({ homeId: about.homeId });
    expect(machine.daemonFile().bootId).not.toBe(about.bootId);
    expect(next.token).not.toBe(daemon.token);
  });

  it("G08 C089 F11 a second one is refused, names the first, and takes nothing from it", async () => {
    const first = await start();
    await expect(start()).rejects.toMatchObject({
      code: "home_in_use",
      message: expect.stringMatching(new RegExp(`${home}.*pid ${process.pid}.*codehands daemon stop`)),
    });
    expect((await callRaw(first, "health.health")).status).toBe(200);
    expect(machine.daemonFile().token).toBe(first.token);
  });

  it("F38 ends in order", async () => {
    const daemon = await start();
    await daemon.close();
    const steps = machine
      .log()
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { step?: string }).step)
      .filter((step) => step !== undefined);
    expect(steps).toEqual(["http", "supervisor", "sync", "database", "daemon.json", "lock", "log"]);
  });

  it("answers the call that ends it, then ends", async () => {
    const daemon = await start();
    expect((await callRaw(daemon, "health.shutdown")).status).toBe(200);
    await daemon.closed;
    await expect(callRaw(daemon, "health.health")).rejects.toMatchObject({ code: "ECONNREFUSED" });
    expect(machine.isAnnounced()).toBe(false);
  });

  it("moves to another port when the wished one is taken, tells it, and stays there", async () => {
    const stranger = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => stranger.once("listening", resolve));
    const { port } = stranger.address() as { port: number };
    await (await start()).close();
    const daemon = await start({ port });
    expect(daemon.port).toBeGreaterThan(port);
    expect(machine.log()).toContain("the wished port is taken");
    await daemon.close();
    await new Promise((resolve) => stranger.close(resolve));
    expect((await start({})).port).toBe(daemon.port);
  });

  it("C116 C122 never writes its token into the log", async () => {
    const daemon = await start();
    await callRaw(daemon, `sessions.list?token=${daemon.token}`);
    await callRaw(daemon, daemon.token);
    daemon.log.error({ error: new Error(`broke near ${daemon.token}`) }, "a fault");
    await daemon.close();
    const log = machine.log();
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
    expect(machine.isAnnounced()).toBe(false);
  });
});
