import { RECORD_KINDS } from "@codehands/contracts";
import { recordKey } from "@codehands/sync";
import { expect, test } from "vitest";
import { commandId, LAPTOP, ME, OtherDevice, replicaWorld, sessionId } from "../replica/other-device.test-kit.ts";
import { createReplicaSessions } from "../replica/replica-sessions.ts";

const PERSON = { runId: null };
const about = (n: number) => ({ commandId: commandId(n), sessionId: sessionId(1), expects: [] });

async function sender(change: Parameters<typeof replicaWorld>[0] = {}) {
  const world = replicaWorld(change);
  await world.laptop.introduces();
  await world.laptop.session(1, { status: "running" });
  const recordOf = (n: number) =>
    world.store.data.records.get(recordKey({ kind: RECORD_KINDS.command, id: commandId(n) }));
  return { ...world, port: createReplicaSessions(world.deps), recordOf };
}

test("S32 a command that nobody has begun is taken back: its record is deleted and says no more", async () => {
  const { port, recordOf, woken, laptop, deps } = await sender();
  await port.stop(about(1), PERSON);
  expect(await port.withdraw(commandId(1), PERSON)).toMatchObject({
    state: "withdrawn",
    kind: "stop",
    sessionId: sessionId(1),
    device: { id: LAPTOP },
  });
  expect(recordOf(1)).toMatchObject({ deleted: true, body: "{}", rev: 2, dirty: "edit", writer: ME });
  expect(woken.count).toBe(2);
  const told = { state: "withdrawn", kind: "stop", sessionId: sessionId(1), device: { id: LAPTOP, name: "laptop" } };
  expect(await port.commandState(commandId(1))).toMatchObject(told);
  expect(await port.withdraw(commandId(1), PERSON)).toMatchObject(told);
  expect(await port.sentCommands()).toMatchObject([]);
  expect(woken.count).toBe(2);
  // Its target saw the claim and the withdrawal in one round, and answers that it ran nothing.
  await laptop.outcome(commandId(1), { state: "refused" });
  expect(await port.commandState(commandId(1))).toMatchObject(told);
  // Another process of this device sees the deletion, and no longer what it was.
  const other = createReplicaSessions(deps);
  expect(await other.commandState(commandId(1))).toMatchObject({ state: "withdrawn", kind: "unknown" });
});

test("what has begun or ended is not taken back", async () => {
  for (const [told, state] of [
    ["claimed", "delivered"],
    ["done", "done"],
    ["expired", "expired"],
  ] as const) {
    const { port, recordOf, laptop } = await sender();
    await port.stop(about(1), PERSON);
    await laptop.outcome(commandId(1), { state: told });
    expect(await port.withdraw(commandId(1), PERSON)).toMatchObject({ state });
    expect(recordOf(1)?.deleted).toBe(false);
  }
});

test("nobody takes another device's command back, and an unknown one is none", async () => {
  const { port, store } = await sender();
  const desktop = new OtherDevice(store, "33333333-0000-4000-8000-000000000003");
  const body = { sessionId: sessionId(1), targetDeviceId: LAPTOP, payload: { kind: "stop" } };
  await desktop.writes({ kind: RECORD_KINDS.command, id: commandId(5) }, body);
  expect(await port.withdraw(commandId(5), PERSON)).toMatchObject({ state: "queued", kind: "stop" });
  expect(await port.withdraw(commandId(6), PERSON)).toBeNull();
  expect(await port.commandState(commandId(6))).toBeNull();
});

test("what was sent from here in the last days is listed, answered or not, the newest first", async () => {
  let now = "2026-03-01T12:00:00.000Z";
  const { port, store, laptop } = await sender({ clock: () => now });
  await port.stop(about(1), PERSON);
  now = "2026-03-08T12:00:00.001Z";
  await port.stop(about(2), PERSON);
  now = "2026-03-08T12:00:01.000Z";
  await port.stop(about(3), PERSON);
  await laptop.outcome(commandId(2), { state: "refused", code: "illegal_move", reason: "It is not running." });
  await new OtherDevice(store).writes({ kind: RECORD_KINDS.command, id: commandId(4) }, { at: now });
  expect(await port.sentCommands()).toMatchObject([
    { commandId: commandId(3), state: "queued" },
    { commandId: commandId(2), state: "refused", code: "illegal_move", reason: "It is not running." },
  ]);
});
