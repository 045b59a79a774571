import { LOG_KINDS } from "@codehands/contracts";
import { expect, test, vi } from "vitest";
import { DeviceError } from "../device-error.ts";
import type { ReplicaDeps } from "../ports/replica-deps.ts";
import { chained, LAPTOP, lineOf, linesOf, replicaWorld, sessionId } from "./other-device.test-kit.ts";
import { createReplicaSessions } from "./replica-sessions.ts";

const ID = sessionId(1);
const query = (change: object = {}) => ({ sessionId: ID, afterSeq: 0, limit: 200, ...change });
const seqs = (page: { events: { seq: number }[] }) => page.events.map(({ seq }) => seq);

/** A cloud that has the whole log, proved by the sync; what it was asked for stands in `asked`. */
function cloudWith(last: number, lines = linesOf(1, last)) {
  const all = chained(ID, 1, lines);
  const asked: { before: number; limit: number }[] = [];
  const eventsBefore: ReplicaDeps["eventsBefore"] = async ({ before, limit }) => {
    asked.push({ before, limit });
    return all.filter(({ seq }) => seq < before).slice(-limit);
  };
  return { asked, eventsBefore };
}

test("S35 reading a session's events opens its log once, and the sync is woken", async () => {
  const { store, deps, laptop, woken } = replicaWorld();
  await laptop.session(1);
  const port = createReplicaSessions(deps);
  expect(await port.events(query())).toEqual({ events: [], lastSeq: 0 });
  expect(await store.logOf(ID)).toMatchObject({ followed: true, kind: LOG_KINDS.session, writer: LAPTOP });
  await port.events(query());
  expect(woken.count).toBe(1);
});

test("events come in order after a seq, with what their line says", async () => {
  const { deps, laptop } = replicaWorld();
  await laptop.session(1);
  await laptop.row(ID, 5);
  await laptop.arrives(ID, linesOf(1, 5));
  const page = await createReplicaSessions(deps).events(query({ afterSeq: 2, limit: 2 }));
  expect(page).toEqual({
    events: [3, 4].map((seq) => ({
      sessionId: ID,
      seq,
      type: "message",
      at: "2026-03-01T11:00:00.000Z",
      payload: { text: `line ${seq}` },
    })),
    lastSeq: 5,
  });
});

test("a line that cannot be read hides no other, and stands where the chain put it", async () => {
  const { deps, laptop } = replicaWorld();
  await laptop.session(1);
  await laptop.row(ID, 3);
  await laptop.arrives(ID, [
    "{ torn",
    lineOf(77, "its place is told by the chain"),
    '{"type":"brain.scan","payload":[1]}',
  ]);
  const { events } = await createReplicaSessions(deps).events(query());
  expect(events.map(({ seq, type, payload }) => ({ seq, type, payload }))).toEqual([
    { seq: 1, type: "unknown", payload: { unreadable: true } },
    { seq: 2, type: "message", payload: { text: "its place is told by the chain" } },
    { seq: 3, type: "brain.scan", payload: { unreadable: true } },
  ]);
});

test("events that the cloud has told of are waited for", async () => {
  const { deps, laptop } = replicaWorld();
  await laptop.session(1);
  await laptop.row(ID, 4);
  await laptop.arrives(ID, linesOf(1, 2));
  const page = createReplicaSessions(deps).events(query());
  await laptop.arrives(ID, linesOf(3, 3));
  await laptop.arrives(ID, linesOf(4, 4));
  expect(seqs(await page)).toEqual([1, 2, 3, 4]);
});

test("what does not arrive in time is left out, and the page says how far the log reaches", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const { deps, laptop } = replicaWorld();
    await laptop.session(1);
    await laptop.row(ID, 9);
    await laptop.arrives(ID, linesOf(1, 2));
    const page = createReplicaSessions(deps).events(query());
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await page).toMatchObject({ events: [{ seq: 1 }, { seq: 2 }], lastSeq: 9 });
  } finally {
    vi.useRealTimers();
  }
});

test("only the wanted types count for the limit", async () => {
  const { deps, laptop } = replicaWorld();
  const lines = linesOf(1, 1_200).map((line, i) => ((i + 1) % 400 === 0 ? lineOf(i + 1, "t", "test.result") : line));
  await laptop.session(1);
  await laptop.row(ID, 1_200);
  await laptop.arrives(ID, lines);
  const port = createReplicaSessions(deps);
  expect(seqs(await port.events(query({ types: ["test.result"], limit: 2 })))).toEqual([400, 800]);
  expect(seqs(await port.events(query({ types: ["test.result"], newest: true, limit: 2 })))).toEqual([800, 1200]);
});

test("the newest page is read backwards from the cloud while the many before it are not here", async () => {
  const { asked, eventsBefore } = cloudWith(1_000);
  const { deps, laptop } = replicaWorld({ eventsBefore });
  await laptop.session(1);
  await laptop.row(ID, 1_000);
  const page = await createReplicaSessions(deps).events(query({ newest: true, limit: 200 }));
  expect([seqs(page)[0], seqs(page).at(-1), page.events.length, page.lastSeq]).toEqual([801, 1000, 200, 1000]);
  expect(asked).toEqual([{ before: 1001, limit: 200 }]);
});

test("the newest page comes from here when it is here, and goes on here where the cloud's part joins", async () => {
  const { asked, eventsBefore } = cloudWith(10);
  const { deps, laptop } = replicaWorld({ eventsBefore });
  const port = createReplicaSessions(deps);
  await laptop.session(1);
  await laptop.row(ID, 10);
  await laptop.arrives(ID, linesOf(1, 10));
  expect(seqs(await port.events(query({ newest: true, limit: 3 })))).toEqual([8, 9, 10]);
  expect(seqs(await port.events(query({ newest: true, afterSeq: 8, limit: 5 })))).toEqual([9, 10]);
  expect(asked).toEqual([]);
});

test("without the cloud the newest are those that are here", async () => {
  const { deps, laptop } = replicaWorld();
  await laptop.session(1);
  await laptop.row(ID, 100);
  await laptop.arrives(ID, linesOf(1, 6));
  const page = await createReplicaSessions(deps).events(query({ newest: true, limit: 4 }));
  expect(seqs(page)).toEqual([3, 4, 5, 6]);
  expect(page.lastSeq).toBe(100);
});

test("V20 what the cloud gives and does not fit is told where nothing else can be shown", async () => {
  const eventsBefore = () => Promise.reject(new DeviceError("refused", "The cloud has another history. (FORK)"));
  const { deps, laptop } = replicaWorld({ eventsBefore });
  const port = createReplicaSessions(deps);
  await laptop.session(1);
  await laptop.row(ID, 9);
  await expect(port.events(query({ newest: true }))).rejects.toMatchObject({
    code: "not_found",
    message: "The cloud has another history. (FORK)",
  });
  await laptop.arrives(ID, linesOf(1, 2));
  expect(seqs(await port.events(query({ newest: true })))).toEqual([1, 2]);
});

test("an unknown session has no events", async () => {
  const { deps } = replicaWorld();
  expect(await createReplicaSessions(deps).events(query())).toEqual({ events: [], lastSeq: 0 });
});
