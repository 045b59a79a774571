import { describe, expect, test } from "vitest";
import { createLocalCaller, createLocalRouter } from "./local.ts";
import { COMMAND_ID, memoryDevice, SESSION_ID } from "./memory-ports.test-kit.ts";
import type { WatchFrame } from "./schemas/session.ts";

const about = { commandId: COMMAND_ID, sessionId: SESSION_ID };
const approve = { ...about, treeId: "b".repeat(40) };
const person = { runId: null };
const agent = { runId: "run-1" };

const open = (caller: { runId: string | null }) => {
  const device = memoryDevice();
  return { ...device, call: createLocalCaller({ ports: device.ports, caller }) };
};

describe("the local router", () => {
  test("has one procedure for each method of each port, and no other", () => {
    const { ports } = memoryDevice();
    const methods = Object.entries(ports).flatMap(([noun, port]) => Object.keys(port).map((name) => `${noun}.${name}`));
    expect(Object.keys(createLocalRouter()._def.procedures).sort()).toEqual(methods.sort());
  });

  test("hands parsed input with its defaults and the caller to the port", async () => {
    const { call, calls } = open(person);
    await call.sessions.list({});
    await call.sessions.approve(approve);
    await call.settings.get({ key: "model" });
    expect(calls).toEqual([
      { name: "sessions.list", args: [{ limit: 50 }] },
      { name: "sessions.approve", args: [{ ...approve, expects: [] }, person] },
      { name: "settings.get", args: ["model", null] },
    ]);
  });

  test("an input that does not fit is one readable sentence, and no port is called", async () => {
    const { call, calls } = open(person);
    const refused = await call.sessions.start({ ...about, repoPath: "", prompt: " " }).catch((error: Error) => error);
    expect(refused).toMatchObject({ code: "BAD_REQUEST" });
    expect(calls).toEqual([]);
  });
});

describe("watching in the same process", () => {
  test("a client that comes back by itself says where it was, and goes on there", async () => {
    const { call, watchedFrom } = open(person);
    const seen: string[] = [];
    for await (const each of await call.sessions.watch({ sessionId: SESSION_ID, lastEventId: "2" })) {
      // A caller in the same process gets tRPC's pair of id and frame, which its types call an object.
      const [id, frame] = each as unknown as [string, WatchFrame];
      seen.push(`${frame.kind} ${id}`);
      if (id === "3") break;
    }
    expect(seen).toEqual(["session 2", "event 3"]);
    expect(watchedFrom).toEqual([2]);
  });

  test("a place that is none is refused", async () => {
    const { call } = open(person);
    for (const lastEventId of ["-1", "1e9", "first"]) {
      const input = { sessionId: SESSION_ID, lastEventId };
      await expect(call.sessions.watch(input), lastEventId).rejects.toMatchObject({ code: "BAD_REQUEST" });
    }
  });
});

describe("decisions", () => {
  test("a person's approve, reject, discard and clean reach the port", async () => {
    const { call, calls } = open(person);
    for (const answer of [
      await call.sessions.approve(approve),
      await call.sessions.reject(about),
      await call.sessions.discard(about),
      await call.sessions.clean({ commandId: COMMAND_ID }),
    ])
      expect(answer.ok).toBe(true);
    expect(calls.map((each) => each.name)).toEqual([
      "sessions.approve",
      "sessions.reject",
      "sessions.discard",
      "sessions.clean",
    ]);
  });

  test("an agent's run gets the answer agent_may_not for its own approval, and nothing is done", async () => {
    const { call, calls } = open(agent);
    for (const answer of [
      await call.sessions.approve(approve),
      await call.sessions.reject(about),
      await call.sessions.discard(about),
      await call.sessions.clean({ commandId: COMMAND_ID }),
    ]) {
      expect(answer).toMatchObject({ ok: false, code: "agent_may_not", session: null });
      expect(answer).toHaveProperty("reason", expect.stringContaining("only a person"));
    }
    expect(calls).toEqual([]);
  });

  test("an agent's run may not change settings or trust", async () => {
    const { call, calls } = open(agent);
    for (const attempt of [
      call.settings.set({ key: "budgetUsd", value: 100 }),
      call.settings.unset({ key: "budgetUsd" }),
      call.repos.trust({ path: "/srv/shop", hash: "h" }),
      call.repos.untrust({ path: "/srv/shop" }),
      call.repos.relocate({ from: "/srv/shop", to: "/srv/other" }),
    ])
      await expect(attempt).rejects.toMatchObject({ code: "FORBIDDEN", cause: { code: "agent_may_not" } });
    expect(calls).toEqual([]);
  });

  test("an agent's run may not touch the account, let a device in, see its codes, or take a command back", async () => {
    const { call, calls } = open(agent);
    const credentials = { cloudUrl: "https://hands.example", email: "a@b.example", password: "p" };
    for (const attempt of [
      call.account.signUp(credentials),
      call.account.logIn(credentials),
      call.account.logOut({}),
      call.account.recover({ ...credentials, code: "c" }),
      call.account.renewCode(),
      call.pair.begin({ cloudUrl: credentials.cloudUrl }),
      call.pair.state({ pairingId: "p" }),
      call.pair.accept({ pairingId: "p" }),
      call.pair.lookUp({ code: "ABCD-EFGH" }),
      call.pair.invite(),
      call.pair.invited({ invitation: "i" }),
      call.pair.offered({ pairingId: "p" }),
      call.pair.approve({ pairingId: "p", digits: "084037" }),
      call.pair.cancel({ pairingId: "p" }),
      call.devices.rename({ name: "n" }),
      call.devices.revoke({ deviceId: SESSION_ID }),
      call.sync.pause(),
      call.sync.resume(),
      call.sync.reset(),
      call.sync.acknowledge(),
      call.sync.identity({ as: "new" }),
      call.sessions.withdraw({ commandId: COMMAND_ID }),
    ])
      await expect(attempt).rejects.toMatchObject({ code: "FORBIDDEN", cause: { code: "agent_may_not" } });
    expect(calls).toEqual([]);
  });

  test("an agent's run may look at the account, its devices, the sync, and what was sent", async () => {
    const { call, calls } = open(agent);
    await call.account.status();
    await call.devices.list();
    await call.devices.fingerprint();
    await call.sync.status();
    await call.sync.now();
    await call.sessions.sentCommands();
    await call.sessions.commandState({ commandId: COMMAND_ID });
    expect(calls).toHaveLength(7);
  });

  test("an agent's run may read, start, stop and resume", async () => {
    const { call, calls } = open(agent);
    await call.sessions.list({});
    await call.sessions.stop(about);
    await call.sessions.resume(about);
    await call.settings.list({});
    await call.repos.list();
    expect(calls).toHaveLength(5);
    expect(calls[1]?.args[1]).toEqual(agent);
  });
});
