import { LOG_KINDS, RECORD_KINDS } from "@codehands/contracts";
import { expect, test, vi } from "vitest";
import { aChange, ME, OtherDevice, replicaWorld, sessionId } from "../replica/other-device.test-kit.ts";
import { createReplicaSessions } from "../replica/replica-sessions.ts";

const STREAM = "44444444-0000-4000-8000-000000000004";
const NEWER = "55555555-0000-4000-8000-000000000005";
const ID = sessionId(1);

function reviewing() {
  const world = replicaWorld();
  return { ...world, port: createReplicaSessions(world.deps) };
}

test("a change is fetched when somebody wants to see it, and shown once all of it is here", async () => {
  const { laptop, port, store, woken } = reviewing();
  await laptop.session(1);
  const lines = await laptop.change(1, STREAM, aChange("+a line\n".repeat(100)));
  expect(lines.length).toBeGreaterThan(3);
  const diff = port.diff(ID);
  await vi.waitFor(async () => expect((await store.logOf(STREAM))?.followed).toBe(true), 20_000);
  expect(await store.logOf(STREAM)).toMatchObject({ kind: LOG_KINDS.change });
  expect(woken.count).toBe(1);
  await laptop.arrives(STREAM, lines.slice(0, 2));
  await laptop.arrives(STREAM, lines.slice(2));
  expect(await diff).toMatchObject({ patch: "+a line\n".repeat(100), files: [{ path: "a.ts" }] });
  expect(await port.diff(ID)).not.toHaveProperty("baseCommit");
  expect(woken.count).toBe(1);
});

test("a newer change that comes meanwhile is the one that is shown", async () => {
  const { laptop, port, store } = reviewing();
  await laptop.session(1);
  await laptop.change(1, STREAM, aChange("old"));
  const diff = port.diff(ID);
  await vi.waitFor(async () => expect((await store.logOf(STREAM))?.followed).toBe(true), 20_000);
  const lines = await laptop.change(1, NEWER, aChange("new"));
  await laptop.arrives(NEWER, lines);
  expect(await diff).toMatchObject({ patch: "new" });
});

test("no change, no session, and a change that another device wrote are nothing to show", async () => {
  const { laptop, port, store } = reviewing();
  expect(await port.diff(ID)).toBeNull();
  await laptop.session(1);
  expect(await port.diff(ID)).toBeNull();
  await laptop.writes({ kind: RECORD_KINDS.change, id: ID }, { treeId: 7 });
  expect(await port.diff(ID)).toBeNull();
  await new OtherDevice(store, ME).change(1, STREAM, aChange("theirs"));
  expect(await port.diff(ID)).toBeNull();
});

test("a change that does not arrive is told with how much of it did", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const { laptop, port } = reviewing();
    await laptop.session(1);
    const lines = await laptop.change(1, STREAM, aChange("+a line\n".repeat(100)));
    await laptop.arrives(STREAM, lines.slice(0, 2));
    const told = expect(port.diff(ID)).rejects.toMatchObject({
      code: "not_found",
      message: `2 of ${lines.length} parts of the change have arrived. Try again when the rest is here.`,
    });
    await vi.advanceTimersByTimeAsync(60_000);
    await told;
  } finally {
    vi.useRealTimers();
  }
});

test("slices that are not what the owner's record names are not shown", async () => {
  const { laptop, port } = reviewing();
  await laptop.session(1);
  const lines = await laptop.change(1, STREAM, aChange("+a line\n".repeat(100)));
  await laptop.arrives(STREAM, lines.toReversed());
  await expect(port.diff(ID)).rejects.toMatchObject({
    code: "not_found",
    message: expect.stringContaining("do not approve"),
  });
});
