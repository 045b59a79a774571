/** An account with two devices that uses everything the cloud offers, with planted words in all that is sealed. */
import { randomUUID } from "node:crypto";
import { logOut } from "@codehands/api/cloud-client";
import { LOG_KINDS } from "@codehands/contracts";
import { exportDeviceKeys, fromBase64url, startEpoch } from "@codehands/vault";
import { foundAccount, openDevice, PASSWORD, type TestAccount, type TestCloud } from "../open-cloud.test-kit.ts";
import { letIn } from "../pairing/let-in.test-kit.ts";
import { plantedRecords } from "./planted-records.test-kit.ts";
import type { Plants } from "./planted-words.test-kit.ts";
import { SealingDevice } from "./sealing-device.test-kit.ts";

const line = (event: object): Uint8Array => Buffer.from(JSON.stringify(event));

/** Plays it; what the second device could read at the end, and everything that the cloud is told as it is. */
export async function playPlantedStory(cloud: TestCloud, plants: Plants) {
  const account: TestAccount = await foundAccount(cloud.url);
  account.label = plants.text("account label");
  await plantKeys(plants, account);
  const laptop = await SealingDevice.open(account, account.device);
  plants.keep("access token of the first device", laptop.token);

  const name = plants.text("name of the second device");
  const { started, roster, revealed, joined } = await letIn(cloud.url, account, name);
  const { id, keys } = started.newcomer;
  plants.key("QR secret", started.newcomer.qrSecret);
  plants.keep("pairing digits", revealed.digits);
  plants.keep("user code", started.userCode);
  plants.keep("poll token", started.pollToken);
  await plantDeviceKeys(plants, "second device", keys);
  const phone = await SealingDevice.open(
    { roster, roots: joined.payload.keys },
    await openDevice(cloud.url, { vault: roster.vault, id, keys }),
  );
  plants.keep("access token of the second device", phone.token);
  laptop.roster = roster;

  const pokes: number[] = [];
  const stream = phone.client.live.watch.subscribe(
    {},
    { onData: ({ data }) => void (data.kind === "head" && pokes.push(data.head)) },
  );

  const session = { id: randomUUID(), taskId: randomUUID(), stream: randomUUID(), change: randomUUID() };
  const command = { id: randomUUID() };
  const ids = { session, command, laptop: laptop.id, phone: phone.id };
  // The command comes before its outcome, as the ten kinds are.
  const { byLaptop, byPhone } = await plantedRecords(plants, { ...ids, keys: laptop.access.keys });
  await phone.push({ records: byPhone });
  await laptop.push({ records: byLaptop });

  const event = (n: number) => ({
    seq: n,
    type: "message",
    text: plants.text(`event ${n}`),
    tool: { output: plants.text(`tool output ${n}`) },
  });
  const events = Array.from({ length: 30 }, (_, index) => line(event(index + 1)));
  for (const from of [1, 11, 21])
    await laptop.push({
      log: { kind: LOG_KINDS.session, stream: session.stream, events: events.slice(from - 1, from + 9) },
    });
  const slices = Array.from({ length: 8 }, (_, index) => line({ text: plants.text(`patch slice ${index}`) }));
  await laptop.push({ log: { kind: LOG_KINDS.change, stream: session.change, events: slices } });
  await laptop.compact(session.stream, events.slice(0, 20));

  // Edits, deletions, a log that goes: what they replace was sealed as well.
  const [first] = byLaptop;
  if (first === undefined) throw new Error("no record");
  await laptop.push({ records: [{ ...first, body: { title: plants.text("edited title") } }] });
  await laptop.push({ records: [{ ...first, deleted: true, body: null }] });
  await laptop.push({ deletedLog: session.change });

  // A new epoch, and what is sealed under it.
  const rotation = await startEpoch({
    roster,
    by: laptop.id,
    keys: account.device.keys,
    at: new Date().toISOString(),
    ops: [],
  });
  const appended = await laptop.client.roster.append.mutate({
    statements: [rotation.statement],
    envelopes: rotation.envelopes,
  });
  if (!appended.ok) throw new Error(appended.code);
  plants.key("root key of epoch 2", rotation.root);
  for (const device of [laptop, phone]) await device.takeEpoch(rotation.roster, rotation.root);
  const later = Array.from({ length: 5 }, (_, index) => line({ text: plants.text(`event of epoch 2, ${index}`) }));
  await laptop.push({ log: { kind: LOG_KINDS.session, stream: session.stream, events: later } });

  const read = await phone.readAll();
  stream.unsubscribe();
  await laptop.client.devices.revoke.mutate({ deviceId: phone.id });
  await logOut(cloud.url, { login: account.person.login });
  return { account, laptop, session, read, pokes };
}

async function plantDeviceKeys(plants: Plants, whose: string, keys: TestAccount["device"]["keys"]): Promise<void> {
  const { sign, agree } = await exportDeviceKeys(keys);
  plants.key(`signing key of the ${whose}`, fromBase64url(sign));
  plants.key(`agreement key of the ${whose}`, fromBase64url(agree));
}

async function plantKeys(plants: Plants, account: TestAccount): Promise<void> {
  plants.keep("recovery code", account.recoveryCode);
  plants.keep("recovery code without dashes", account.recoveryCode.replaceAll("-", ""));
  plants.keep("password", PASSWORD);
  for (const { epoch, root } of account.roots) plants.key(`root key of epoch ${epoch}`, root);
  await plantDeviceKeys(plants, "first device", account.device.keys);
}
