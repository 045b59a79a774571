import { RECORD_KINDS } from "@codehands/contracts";
import { recordKey } from "@codehands/sync";
import {
  foundVault,
  inspectItem,
  Keyring,
  makeDeviceKeys,
  newRecoveryCode,
  readRecoveryCode,
  recoveryKeys,
  sealRecord,
  toBase64url,
  type WriteAccess,
} from "@codehands/vault";
import { beforeAll, expect, test } from "vitest";
import { commandId, ME, NOW, OtherDevice, replicaWorld, sessionId } from "../replica/other-device.test-kit.ts";
import { createReplicaSessions } from "../replica/replica-sessions.ts";
import { resealCommands } from "./reseal-commands.ts";

let access: WriteAccess;

beforeAll(async () => {
  const keys = await makeDeviceKeys({ extractable: true });
  const secret = await readRecoveryCode(await newRecoveryCode());
  if (!secret.ok) throw new Error(secret.code);
  const recovery = await recoveryKeys(secret.value);
  const { roster, root } = await foundVault({ id: ME, keys, platform: "linux", recovery, at: NOW });
  const ring = new Keyring(roster.vault);
  await ring.add(roster, { epoch: 1, root });
  access = { roster, keys: ring, device: ME, signKey: keys.sign.privateKey };
});

const keyOf = (n: number) => ({ kind: RECORD_KINDS.command, id: commandId(n) });

async function world() {
  const made = replicaWorld();
  await made.laptop.introduces();
  await made.laptop.session(1, { status: "running" });
  const port = createReplicaSessions(made.deps);
  const recordOf = (n: number) => made.store.data.records.get(recordKey(keyOf(n)));
  /** The push seals it under epoch 1, and the cloud has it. */
  const sealed = async (n: number) => {
    const held = recordOf(n);
    if (!held?.body) throw new Error("no command");
    const body: unknown = JSON.parse(held.body);
    const { bytes, hash } = await sealRecord(access, { ...keyOf(n), rev: held.rev, n, body });
    const item = toBase64url(bytes);
    const record = { ...held, item, mac: toBase64url(hash.subarray(0, 16)), dirty: "" as const };
    await made.store.apply({}, () => ({ changes: [{ op: "record", record }], result: undefined }));
  };
  const send = async (n: number) => {
    await port.stop({ commandId: commandId(n), sessionId: sessionId(1), expects: [] }, { runId: null });
    await sealed(n);
  };
  const reseal = (epoch: number, now = NOW) => resealCommands({ store: made.store, me: ME, epoch, now });
  return { ...made, send, sealed, reseal, recordOf };
}

test("V27 a command under an older key epoch is to be sealed again as the next rev, with the same words", async () => {
  const { send, sealed, reseal, recordOf } = await world();
  await send(1);
  const before = recordOf(1);
  expect(await reseal(1)).toBe(0);
  expect(await reseal(2)).toBe(1);
  expect(recordOf(1)).toMatchObject({ rev: 2, mac: "", item: "", dirty: "edit", body: before?.body });
  // What is not sealed yet will be under the newest.
  expect(await reseal(2)).toBe(0);
  await sealed(1);
  const facts = await inspectItem(Uint8Array.from(Buffer.from(recordOf(1)?.item ?? "", "base64url")));
  expect(facts).toMatchObject({ ok: true, value: { header: { rev: 2, epoch: 1 } } });
});

test("V27 what has an outcome, was taken back, is another device's or a day old is left as it is", async () => {
  const { send, reseal, recordOf, laptop, store } = await world();
  for (const n of [1, 2]) await send(n);
  await laptop.outcome(commandId(1), { state: "claimed" });
  const held = recordOf(2);
  if (!held) throw new Error("no command");
  const taken = { ...held, deleted: true, body: "{}" };
  await store.apply({}, () => ({ changes: [{ op: "record", record: taken }], result: undefined }));
  await new OtherDevice(store).writes(keyOf(3), held.body, { item: held.item });
  expect(await reseal(2)).toBe(0);
  await send(4);
  expect(await reseal(2, "2026-03-02T12:00:00.000Z")).toBe(0);
  expect(await reseal(2, "2026-03-02T11:59:59.000Z")).toBe(1);
});
