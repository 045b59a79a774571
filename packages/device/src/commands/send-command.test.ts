import { type Command, RECORD_KINDS } from "@codehands/contracts";
import { recordKey } from "@codehands/sync";
import { expect, test, vi } from "vitest";
import {
  commandId,
  LAPTOP,
  linesOf,
  ME,
  macAt,
  NOW,
  replicaWorld,
  sessionId,
} from "../replica/other-device.test-kit.ts";
import { createReplicaSessions } from "../replica/replica-sessions.ts";

const ID = sessionId(1);
const TREE = "b".repeat(40);
const PERSON = { runId: null };
const AGENT = { runId: "r1" };

async function commanding(change: Parameters<typeof replicaWorld>[0] = {}) {
  const world = replicaWorld(change);
  await world.laptop.introduces();
  await world.laptop.session(1, { lastSeq: 4, tailMac: macAt(ID, 4) });
  const port = createReplicaSessions(world.deps);
  const recordOf = (n: number) =>
    world.store.data.records.get(recordKey({ kind: RECORD_KINDS.command, id: commandId(n) }));
  const commandOf = (n: number) => JSON.parse(recordOf(n)?.body ?? "null") as Command;
  const approve = (n: number, input: object = {}) =>
    port.approve({ commandId: commandId(n), sessionId: ID, expects: [], treeId: TREE, ...input }, PERSON);
  return { ...world, port, recordOf, commandOf, approve };
}
const waitsFor = (world: Awaited<ReturnType<typeof commanding>>, n: number) =>
  vi.waitFor(() => expect(world.recordOf(n)).toBeDefined(), 20_000);

test("V26 an approval carries what was seen: status, tree, and the history as far as it was read", async () => {
  const world = await commanding();
  await world.laptop.arrives(ID, linesOf(1, 3));
  const answer = await world.approve(1, { message: "ship it", allowLarge: true, allowSecrets: undefined });
  expect(world.commandOf(1)).toEqual({
    id: commandId(1),
    sessionId: ID,
    targetDeviceId: LAPTOP,
    senderDeviceId: ME,
    payload: { kind: "approve", treeId: TREE, message: "ship it", allowLarge: true },
    expects: { status: ["awaiting_approval"], treeId: TREE, seq: 3, chain: macAt(ID, 3) },
    incarnation: "aW5jYXJuYXRpb24xMg",
    at: NOW,
  });
  expect(world.recordOf(1)).toMatchObject({ writer: ME, rev: 1, dirty: "edit", mac: "" });
  expect(world.woken.count).toBe(1);
  expect(answer).toMatchObject({
    ok: true,
    result: null,
    session: { id: ID, status: "awaiting_approval" },
    pending: {
      commandId: commandId(1),
      state: "queued",
      device: { id: LAPTOP, name: "laptop" },
      lastHeardAt: "2026-03-01T11:00:00.000Z",
    },
  });
});

test("V26 without an event here, the history is the one that the owner signed", async () => {
  const world = await commanding();
  await world.approve(1);
  expect(world.commandOf(1).expects).toMatchObject({ seq: 4, chain: macAt(ID, 4) });
  await world.laptop.session(1, { lastSeq: 0, tailMac: "" });
  await world.approve(2);
  expect(world.commandOf(2).expects).toEqual({ status: ["awaiting_approval"], treeId: TREE });
});

test("each wish travels with its own words; a stop holds for whatever status was not looked at", async () => {
  const { port, laptop, commandOf } = await commanding();
  await laptop.session(1, { status: "running" });
  const about = (n: number) => ({ commandId: commandId(n), sessionId: ID, expects: [] });
  await port.stop({ ...about(1), now: true }, PERSON);
  await port.resume({ ...about(2), prompt: "go on", budgetUsd: 3, expects: ["stopped"] }, PERSON);
  await port.reject({ ...about(3), reason: "no" }, PERSON);
  await port.discard(about(4), PERSON);
  expect([1, 2, 3, 4].map((n) => [commandOf(n).payload, commandOf(n).expects.status])).toEqual([
    [{ kind: "stop", now: true }, []],
    [{ kind: "resume", prompt: "go on", budgetUsd: 3 }, ["stopped"]],
    [{ kind: "reject", reason: "no" }, ["running"]],
    [{ kind: "discard" }, ["running"]],
  ]);
});

test("an answer that comes in time is the answer, with the session as its owner then tells it", async () => {
  const world = await commanding({ patienceMs: 20_000 });
  const answer = world.approve(1);
  await waitsFor(world, 1);
  await world.laptop.outcome(commandId(1), { state: "claimed" });
  await world.laptop.outcome(commandId(1), { state: "done", result: { branch: "b", commit: "c", treeId: TREE } });
  await world.laptop.session(1, { status: "approved", rev: 5 });
  expect(await answer).toMatchObject({
    ok: true,
    result: { branch: "b", commit: "c", treeId: TREE },
    session: { status: "approved" },
  });
});

test("a refusal is an answer, with the code and the hint of the owner", async () => {
  const world = await commanding({ patienceMs: 20_000 });
  const answer = world.approve(1);
  await waitsFor(world, 1);
  await world.laptop.outcome(commandId(1), {
    state: "refused",
    code: "stale_tree",
    reason: "Another tree.",
    result: { next: "diff" },
  });
  expect(await answer).toMatchObject({
    ok: false,
    code: "stale_tree",
    reason: "Another tree.",
    next: "diff",
    session: { id: ID },
  });
});

test("S30 what may or may not have run is told as that", async () => {
  const world = await commanding({ patienceMs: 20_000 });
  const answer = world.approve(1);
  await waitsFor(world, 1);
  await world.laptop.outcome(commandId(1), { state: "in_doubt" });
  expect(await answer).toMatchObject({
    ok: false,
    code: "in_doubt",
    reason: "laptop went away while it worked at the command. It may or may not have run: look at the session.",
    next: "show",
    session: { id: ID },
  });
});

test("S30 what went wrong at the owner is told with the doubt, and the doubt is told once", async () => {
  const world = await commanding();
  await world.approve(1);
  await world.laptop.outcome(commandId(1), { state: "in_doubt", reason: "git was killed" });
  expect(await world.approve(1)).toMatchObject({
    reason: "git was killed. It may or may not have run: look at the session.",
  });
  const told = "The device stopped: it may or may not have run. Look at the session.";
  await world.laptop.outcome(commandId(1), { state: "in_doubt", reason: told });
  expect(await world.approve(1)).toMatchObject({ code: "in_doubt", reason: told });
});

test("a refusal for a reason that only a newer owner knows is told in its words", async () => {
  const world = await commanding();
  await world.approve(1);
  await world.laptop.outcome(commandId(1), { state: "refused", code: "of_tomorrow", reason: "It is locked." });
  expect(await world.approve(1)).toMatchObject({ ok: false, code: "illegal_move", reason: "It is locked." });
  await world.laptop.outcome(commandId(1), { state: "refused" });
  expect(await world.approve(1)).toMatchObject({ ok: false, reason: "laptop refused the command. Nothing was done." });
});

test("a command that its owner has begun is told as delivered, an expired one as not done", async () => {
  const world = await commanding();
  await world.approve(1);
  await world.laptop.outcome(commandId(1), { state: "claimed" });
  expect(await world.approve(1)).toMatchObject({ ok: true, pending: { state: "delivered" } });
  await world.laptop.outcome(commandId(1), { state: "expired" });
  expect(await world.approve(1)).toMatchObject({
    ok: false,
    code: "expired",
    reason: expect.stringContaining("Nothing was done"),
  });
});

test("the same id again sends nothing and gets what became of it", async () => {
  const world = await commanding();
  await world.approve(1);
  const sent = world.recordOf(1);
  await world.laptop.outcome(commandId(1), { state: "done", result: { commit: "c" } });
  await world.laptop.session(1, { status: "approved" });
  expect(await world.approve(1, { commandId: commandId(1).toUpperCase(), message: "other words" })).toMatchObject({
    ok: true,
    result: { commit: "c" },
    session: { status: "approved" },
  });
  expect(world.recordOf(1)).toBe(sent);
  expect(world.woken.count).toBe(1);
});

test("an outcome that another device wrote says nothing", async () => {
  const world = await commanding();
  await world.approve(1);
  const { OtherDevice } = await import("../replica/other-device.test-kit.ts");
  await new OtherDevice(world.store, "99999999-0000-4000-8000-000000000009").outcome(commandId(1), { state: "done" });
  expect(await world.port.commandState(commandId(1))).toMatchObject({ state: "queued" });
});

test("a session that has ended for good refuses at once what its owner would refuse", async () => {
  const world = await commanding();
  await world.laptop.session(1, { status: "rejected" });
  expect(await world.approve(1)).toMatchObject({
    ok: false,
    code: "illegal_move",
    session: { status: "rejected", remote: { heldSeq: 0 } },
  });
  expect(world.recordOf(1)).toBeUndefined();
  expect(world.woken.count).toBe(0);
});

test("nothing is sent about an unknown session, from a signed out device, or to a device that is gone or unheard of", async () => {
  const unknown = await commanding();
  expect(await unknown.approve(1, { sessionId: sessionId(7) })).toMatchObject({ ok: false, code: "not_found" });
  const out = await commanding({ me: () => null });
  expect(await out.approve(1)).toMatchObject({ ok: false, code: "not_allowed", next: "login" });
  const gone = await commanding({ isRemoved: (id) => id === LAPTOP });
  expect(await gone.approve(1)).toMatchObject({
    ok: false,
    code: "revoked",
    reason: expect.stringContaining("laptop"),
  });
  const silent = replicaWorld();
  await silent.laptop.session(1);
  const port = createReplicaSessions(silent.deps);
  expect(await port.discard({ commandId: commandId(1), sessionId: ID, expects: [] }, PERSON)).toMatchObject({
    ok: false,
    code: "not_found",
    reason: expect.stringContaining("has not introduced itself"),
  });
  for (const { store } of [unknown, out, gone, silent]) expect(await store.recordsOf(RECORD_KINDS.command)).toEqual([]);
});

test("an agent decides nothing on another device either, and cleaning is each device's own", async () => {
  const { port, store, approve } = await commanding();
  const about = { commandId: commandId(1), sessionId: ID, expects: [] };
  const refused = { ok: false, code: "agent_may_not" };
  expect(await port.approve({ ...about, treeId: TREE }, AGENT)).toMatchObject(refused);
  expect(await port.reject(about, AGENT)).toMatchObject(refused);
  expect(await port.discard(about, AGENT)).toMatchObject(refused);
  expect(await port.resume({ ...about, budgetUsd: 9 }, AGENT)).toMatchObject(refused);
  expect(await port.clean({ commandId: commandId(1) }, AGENT)).toMatchObject(refused);
  expect(await port.clean({ commandId: commandId(1) }, PERSON)).toMatchObject({ ok: false, code: "not_allowed" });
  expect(await store.recordsOf(RECORD_KINDS.command)).toEqual([]);
  await approve(1);
  await expect(port.withdraw(commandId(1), AGENT)).rejects.toMatchObject({ code: "agent_may_not" });
  expect(await port.commandState(commandId(1))).toMatchObject({ state: "queued" });
});
