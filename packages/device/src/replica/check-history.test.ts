import { LOG_KINDS } from "@codehands/contracts";
import { newLog } from "@codehands/sync";
import { explainCode } from "@codehands/vault";
import { expect, test } from "vitest";
import { checkHistory } from "./check-history.ts";
import { LAPTOP, linesOf, macAt, NOW, replicaWorld, sessionBody, sessionId } from "./other-device.test-kit.ts";
import { createReplicaSessions } from "./replica-sessions.ts";

const ID = sessionId(1);
const signed = (lastSeq: number) => ({ lastSeq, tailMac: macAt(ID, lastSeq) });

const rowAt = (receivedAt: string) => ({
  ...{ kind: 3, id: ID, version: 1, rev: 1, mac: "the same", keyId: 1, body: "", deleted: false },
  ...{ writer: LAPTOP, receivedAt },
});

async function warningOf(arrange: (laptop: ReturnType<typeof replicaWorld>["laptop"]) => Promise<void>) {
  const { deps, laptop } = replicaWorld();
  await arrange(laptop);
  return (await createReplicaSessions(deps).get(ID))?.remote;
}

test("V21 a log that reaches what its owner signed, and agrees there, is told without a warning", async () => {
  const fine = [
    async (laptop) => laptop.session(1),
    async (laptop) => {
      await laptop.session(1, signed(3));
      await laptop.row(ID, 3);
    },
    async (laptop) => {
      await laptop.session(1, signed(3));
      await laptop.row(ID, 5);
      await laptop.arrives(ID, linesOf(1, 5));
    },
    // Its events come after the record: nobody withholds what the cloud tells of.
    async (laptop) => {
      await laptop.session(1, signed(3));
      await laptop.row(ID, 9);
      await laptop.arrives(ID, linesOf(1, 2));
    },
  ] satisfies Parameters<typeof warningOf>[0][];
  for (const arrange of fine) expect((await warningOf(arrange))?.warning).toBeNull();
});

test("V21 events that the owner signed and the cloud does not have are told with their number", async () => {
  const withheld = async (held: number, row: number) =>
    (
      await warningOf(async (laptop) => {
        await laptop.session(1, signed(9));
        if (row > 0) await laptop.row(ID, row);
        if (held > 0) await laptop.arrives(ID, linesOf(1, held));
      })
    )?.warning;
  expect(await withheld(0, 0)).toBe("9 events of this session have not been delivered.");
  expect(await withheld(4, 4)).toBe("5 events of this session have not been delivered.");
  expect(await withheld(2, 8)).toBe("1 event of this session has not been delivered.");
});

test("V21 another history than the signed one is a fork, held or only told of", async () => {
  const wrong = { lastSeq: 3, tailMac: macAt(ID, 99) };
  const held = await warningOf(async (laptop) => {
    await laptop.session(1, wrong);
    await laptop.row(ID, 5);
    await laptop.arrives(ID, linesOf(1, 5));
  });
  const told = await warningOf(async (laptop) => {
    await laptop.session(1, wrong);
    await laptop.row(ID, 3);
  });
  expect([held?.warning, told?.warning]).toEqual([explainCode("FORK"), explainCode("FORK")]);
  expect([held?.heldSeq, told?.heldSeq]).toEqual([5, 0]);
});

test("a difference is told only when it lasts; a stamp in the future buys no more time", async () => {
  const { deps, laptop } = replicaWorld();
  await laptop.session(1, signed(2));
  const view = await createReplicaSessions(deps).get(ID);
  if (view === null) throw new Error("no session");
  const at = (receivedAt: string | null, seenAt = NOW) =>
    checkHistory(
      { view, tailMac: macAt(ID, 2), writer: laptop.id, receivedAt, seenAt },
      { log: null, macAtSigned: null },
      NOW,
    );
  const told = "2 events of this session have not been delivered.";
  expect(at("2026-03-01T11:59:50.000Z")).toBeNull();
  for (const old of ["2026-03-01T11:59:00.000Z", "2027-01-01T00:00:00.000Z", null]) expect(at(old)).toBe(told);
  // The cloud stamps it anew all the time: it has been here for a minute.
  expect(at(NOW, "2026-03-01T11:59:00.000Z")).toBe(told);
});

test("a record is new to this process once, however often the cloud gives it another stamp", async () => {
  let now = NOW;
  const { deps, laptop } = replicaWorld({ clock: () => now });
  const port = createReplicaSessions(deps);
  const stamped = (receivedAt: string) =>
    laptop.writes({ kind: 3, id: ID }, sessionBody(ID, signed(2)), { mac: "the same", base: rowAt(receivedAt) });
  await stamped(now);
  expect((await port.get(ID))?.remote).toMatchObject({ receivedAt: now, warning: null });
  now = "2026-03-01T12:00:40.000Z";
  await stamped(now);
  expect((await port.get(ID))?.remote).toMatchObject({ receivedAt: now, warning: expect.stringContaining("2 events") });
});

test("S16 segments that cannot be opened are told in words", async () => {
  const { store, deps, laptop } = replicaWorld();
  await laptop.session(1, signed(2));
  const log = newLog({ streamId: ID, kind: LOG_KINDS.session, writer: laptop.id });
  const block = (code: string) =>
    store.apply({}, () => ({
      changes: [{ op: "log", log: { ...log, blocked: { code, version: 1 } } }],
      result: undefined,
    }));
  const warning = async () => (await createReplicaSessions(deps).get(ID))?.remote?.warning;
  await block("KEY_MISSING");
  expect(await warning()).toBe(explainCode("KEY_MISSING"));
  await block("SOMETHING_NEW");
  expect(await warning()).toContain("SOMETHING_NEW");
});
