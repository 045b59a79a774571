import { afterAll, beforeAll, expect, test } from "vitest";
import { newId, openSyncStage, pageOf, type StageDevice, type SyncStage } from "./sync-stage.test-kit.ts";

let stage: SyncStage;
beforeAll(async () => {
  stage = await openSyncStage();
});
afterAll(() => stage.drop());

async function device(): Promise<StageDevice> {
  const [one] = await stage.accountWith(1);
  if (one === undefined) throw new Error("no device");
  return one;
}

test("T1c revoked: REVOKED, whatever else is true", async () => {
  const { port, caller, boot } = await device();
  await stage.sql`update devices set revoked_at = now() where id = ${caller.deviceId}`;
  expect(await port.hello(caller, { boot, boots: [boot] })).toEqual({ answer: "REVOKED" });
});

test("T1c unknown: a device the roster does not name is UNKNOWN, one that it names is taken at its first hello", async () => {
  const { port, caller, epoch } = await device();
  const boot = newId();
  expect(await port.hello({ ...caller, deviceId: newId() }, { boot, boots: [boot], mode: "register" })).toEqual({
    answer: "UNKNOWN",
  });
  await stage.sql`update devices set boot_id = null where id = ${caller.deviceId}`;
  expect(await port.hello(caller, { boot, boots: [boot], mode: "register" })).toEqual({ answer: "OK", epoch });
});

test("T1c boot_id ∈ boots: OK, also when answers were lost and many processes came between (S2)", async () => {
  const { port, caller, boot, epoch } = await device();
  const boots = [boot, newId(), newId(), newId()];
  const last = boots.at(-1) ?? "";
  expect(await port.hello(caller, { boot: last, boots })).toEqual({ answer: "OK", epoch });
  // S1: the same hello again, since its answer was lost.
  expect(await port.hello(caller, { boot: last, boots })).toEqual({ answer: "OK", epoch });
});

test("T1c a copy or a restored database: COPY with the boot id that is there, and nothing changes", async () => {
  const { port, caller, boot } = await device();
  const next = newId();
  await port.hello(caller, { boot: next, boots: [boot, next] });
  const other = newId();
  expect(await port.hello(caller, { boot: other, boots: [boot, other] })).toEqual({ answer: "COPY", seen: next });
  expect(await port.hello(caller, { boot: other, boots: [boot, other] })).toEqual({ answer: "COPY", seen: next });
});

test("T1c adopt and seen = boot_id: OK once, and the other copy is COPY next time (S3)", async () => {
  const { port, caller, boot, epoch } = await device();
  const [here, there] = [newId(), newId()];
  await port.hello(caller, { boot: there, boots: [boot, there] });
  const adopt = { boot: here, boots: [boot, here], mode: "adopt" as const };
  expect(await port.hello(caller, { ...adopt, seen: boot })).toEqual({ answer: "COPY", seen: there });
  expect(await port.hello(caller, { ...adopt, seen: there })).toEqual({ answer: "OK", epoch });
  const later = newId();
  expect(await port.hello(caller, { boot: later, boots: [boot, there, later] })).toEqual({
    answer: "COPY",
    seen: here,
  });
});

test("T1c of two copies that adopt at the same moment one gets it", async () => {
  const { port, caller, boot } = await device();
  const copies = [newId(), newId()];
  const answers = await Promise.all(
    copies.map((copy) => port.hello(caller, { boot: copy, boots: [copy], mode: "adopt", seen: boot })),
  );
  expect(answers.map((each) => each.answer).sort()).toEqual(["COPY", "OK"]);
});

test("S4 a push or compaction of an earlier process is told BOOT, and nothing is written", async () => {
  const one = await device();
  const { port, caller, boot } = one;
  const next = newId();
  await port.hello(caller, { boot: next, boots: [boot, next] });
  const streamId = newId();
  expect(await one.push({ logs: [{ streamId, from: 1, events: 1 }] })).toEqual({ reset: "boot" });
  expect(pageOf(await one.pull()).head).toBe(0);
  expect(await one.push({ logs: [{ streamId, from: 1, events: 1 }] }, { boot: next })).toHaveProperty("logs");
});

test("S4 a hello that comes while a push of the earlier process is under way: the push counts as before it, or is refused", async () => {
  for (let round = 0; round < 20; round++) {
    const one = await device();
    const next = newId();
    const [pushed, greeted] = await Promise.all([
      one.push({ logs: [{ streamId: newId(), from: 1, events: 1 }] }),
      one.port.hello(one.caller, { boot: next, boots: [one.boot, next] }),
    ]);
    expect(greeted.answer).toBe("OK");
    const { head } = pageOf(await one.pull());
    expect(head).toBe("logs" in pushed ? 1 : 0);
  }
});

test("a revoked device's push and compaction are refused", async () => {
  const one = await device();
  await stage.sql`update devices set revoked_at = now() where id = ${one.caller.deviceId}`;
  expect(await one.push({ logs: [{ streamId: newId(), from: 1, events: 1 }] })).toEqual({ reset: "boot" });
});
