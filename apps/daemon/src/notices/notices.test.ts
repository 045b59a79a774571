import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inTransaction } from "../database/transaction.ts";
import { createSessionBus } from "../sessions/session-bus.ts";
import { moveSession } from "../sessions/session-rows.ts";
import { makeStore, type TestStore } from "../sessions/session-store.test-kit.ts";
import { createDesktopNotices, type Notice, planNotice } from "./desktop-notices.ts";
import { obeyedNotice, tellWhenWaiting } from "./tell-person.ts";

const HOSTILE = 'x"; rm -rf / #\n$(touch /tmp/a) `b` <b>bold</b> & \u202E\u0007 --urgency=critical';

describe("a notice on the desktop", () => {
  it("is one program with plain arguments: no shell, no option, no markup, no control character", () => {
    const linux = planNotice("linux", { title: HOSTILE, body: HOSTILE });
    expect(linux?.program).toBe("notify-send");
    const [app, dashes, title = "", body = ""] = linux?.args ?? [];
    expect([app, dashes, linux?.args.length]).toEqual(["--app-name=Code Hands", "--", 4]);
    expect(body).toContain("&lt;b&gt;bold&lt;/b&gt; &amp;");
    expect(`${title}${body}`).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    const mac = planNotice("darwin", { title: HOSTILE, body: HOSTILE });
    expect(mac?.args.slice(0, 3)).toEqual(["-e", expect.not.stringContaining("rm -rf"), "--"]);
    expect(planNotice("win32", { title: "a", body: "b" })).toBeNull();
    expect(planNotice("linux", { title: "t", body: "y".repeat(9_999) })?.args.at(-1)).toHaveLength(400);
  });

  it("starts the program of this machine, and does without one", async () => {
    const folder = mkdtempSync(join(tmpdir(), "codehands-notices-"));
    try {
      const told = join(folder, "told");
      const program = join(folder, "notify-send");
      writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$@" > "${told}.part" && mv "${told}.part" "${told}"\n`);
      chmodSync(program, 0o755);
      createDesktopNotices({ platform: "linux", environment: { PATH: "/nowhere" } })({ title: "a", body: "b" });
      createDesktopNotices({ platform: "linux", environment: { PATH: `${folder}:${process.env.PATH ?? ""}` } })({
        title: "Ready",
        body: "Fix $(login)",
      });
      await until(() => readOr(told) !== null);
      expect(readOr(told)?.trim().split("\n")).toEqual(["--app-name=Code Hands", "--", "Ready", "Fix $(login)"]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe("what the person at this machine is told", () => {
  let test: TestStore;
  beforeEach(() => {
    test = makeStore();
  });
  afterEach(() => test.close());
  const STARTED = "2026-01-01T00:00:00.000Z";

  function wait(id: string, finishedAt: string): void {
    inTransaction(test.store, (tx) => {
      moveSession(tx, id, { to: "running" });
      moveSession(tx, id, { to: "awaiting_approval", change: { finishedAt } });
    });
  }

  it("a session that begins to wait, once, and only when it is news and wanted", () => {
    const shown: Notice[] = [];
    let wanted = true;
    const bus = createSessionBus(() => {});
    const deps = { store: test.store, bus, show: (one: Notice) => void shown.push(one), startedAt: STARTED };
    const stop = tellWhenWaiting({ ...deps, isWanted: () => wanted });
    const id = test.add({ title: "Fix login" });
    bus.poke(id);
    expect(shown).toEqual([]);
    wait(id, "2026-01-01T00:00:05.000Z");
    bus.poke(id);
    bus.poke(id);
    expect(shown).toEqual([{ title: "Ready for your review", body: `Fix login (${id.slice(0, 8)})` }]);
    const old = test.add();
    wait(old, "2025-12-31T00:00:00.000Z");
    bus.poke(old);
    wanted = false;
    const other = test.add();
    wait(other, "2026-01-01T00:00:06.000Z");
    bus.poke(other);
    expect(shown).toHaveLength(1);
    stop();
    expect(bus.size()).toBe(0);
  });

  it("V33 each command of another device, with the device's name", () => {
    const id = test.add({ title: "Fix login" });
    const row = { kind: "approve", sessionId: id } as Parameters<typeof obeyedNotice>[1];
    expect(obeyedNotice(test.store, row, "phone")).toEqual({
      title: "Command from phone",
      body: `phone approved a change: Fix login (${id.slice(0, 8)})`,
    });
  });
});

function readOr(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

async function until(isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error("it did not happen in time");
    await pause(10);
  }
}
