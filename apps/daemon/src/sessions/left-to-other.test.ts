import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Change } from "@codehands/client/store";
import { RECORD_KINDS, type Run } from "@codehands/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inTransaction } from "../database/transaction.ts";
import { openRuns, putRun } from "../runs/run-rows.ts";
import { DEVICE, openCollectingHome } from "../sync/collecting-home.test-kit.ts";
import { createAccountStore } from "../sync/sqlite-account-store.ts";
import { isLeftToOther, liesInOtherHome } from "./left-to-other.ts";
import { listSessions } from "./read-sessions.ts";
import { sessionsIn } from "./session-rows.ts";
import { makeStore, type TestStore } from "./session-store.test-kit.ts";

describe("S3 a copy that became a device of its own", () => {
  let home: ReturnType<typeof openCollectingHome>;
  let told: string;
  let alone: string;
  beforeEach(async () => {
    home = openCollectingHome();
    told = home.add();
    home.happen(told, "task.started");
    await home.collect();
    alone = home.add();
  });
  afterEach(() => home.close());

  const write = (...changes: Change[]) => home.device.apply({}, () => ({ changes, result: undefined }));
  const stateWith = async (over: object): Promise<Change> => {
    const { state } = await home.device.read({});
    return { op: "state", state: { ...state, ...over } };
  };
  const listed = () =>
    listSessions(home.store, { limit: 10 }, { deviceId: "new", deviceName: "copy" }).sessions.map(({ id }) => id);

  it("leaves to the other copy what the account has heard of, and keeps what it has not", async () => {
    inTransaction(home.store, (tx) => putRun(tx, runOf(told)));
    expect(listed()).toHaveLength(2);
    expect(openRuns(home.store)).toHaveLength(1);
    await write(await stateWith({ copy: { seen: "boot-of-the-other" } }));
    expect(isLeftToOther(home.store, told)).toBe(false);

    await write(await stateWith({ deviceId: "new", copy: null }));
    expect([told, alone].map((id) => isLeftToOther(home.store, id))).toEqual([true, false]);
    expect(listed()).toEqual([alone]);
    expect(sessionsIn(home.store, "queued", "running").map(({ id }) => id)).toEqual([alone]);
    expect(openRuns(home.store)).toEqual([]);
  });

  it("keeps everything when it signs out and is asked nothing", async () => {
    await write(await stateWith({ deviceId: "new" }));
    expect(isLeftToOther(home.store, told)).toBe(false);
    expect(listed()).toHaveLength(2);
  });

  it("does not take them back by signing out instead", async () => {
    await write(await stateWith({ copy: { seen: "boot-of-the-other" } }));
    await createAccountStore(home.store).clear();
    // Signed out it is alone with what it has; in the account again, it meets the other's records.
    expect(isLeftToOther(home.store, told)).toBe(false);
    const record = {
      ...{ kind: RECORD_KINDS.session, id: told, rev: 1, body: "{}", deleted: false, writer: DEVICE },
      ...{ mac: "m", item: "i", base: null, dirty: "" as const, blocked: null, quarantine: null },
    };
    await write({ op: "record", record });
    expect(isLeftToOther(home.store, told)).toBe(true);
  });
});

function runOf(sessionId: string): Run {
  return {
    ...{ id: "r1", sessionId, ordinal: 1, phase: "single", kind: "start", model: null, prompt: null, state: "live" },
    ...{ pid: 1, pgid: 1, startTicks: "1", bootId: "b", byteOffset: 0, errOffset: 0, exitCode: null, signal: null },
    ...{ costUsd: null, startedAt: "2026-01-01T00:00:00.000Z", endedAt: null },
  };
}

describe("the files of a session", () => {
  let test: TestStore;
  beforeEach(() => {
    test = makeStore();
    for (const name of ["home/git/one", "other/git/two"]) mkdirSync(join(test.dir, name), { recursive: true });
    symlinkSync(join(test.dir, "home"), join(test.dir, "link"));
  });
  afterEach(() => test.close());

  it.each([
    { where: "in this home", home: "home", git: "home/git/one", is: false },
    { where: "in this home, by another name", home: "link", git: "home/git/one", is: false },
    { where: "in another home that stands", home: "home", git: "other/git/two", is: true },
    { where: "at the old place of a home that was moved", home: "home", git: "gone/git/one", is: false },
    { where: "nowhere yet", home: "home", git: null, is: false },
  ])("$where", ({ home, git, is }) => {
    const privateGitDir = git === null ? null : join(test.dir, git);
    expect(liesInOtherHome(join(test.dir, home), { privateGitDir })).toBe(is);
  });
});
