import { randomUUID } from "node:crypto";
import {
  type AboutDevice,
  type Device,
  type DeviceOptions,
  MemoryAccountStore,
  MemoryDeviceStore,
  MemoryKeyStore,
  openDevice,
} from "@codehands/client";
import { appendOwn, CHAIN_START, Draft, editRecord, followLog, newLog, newStoreData } from "@codehands/sync";
import { fetchFromOwnAddress } from "./open-cloud-process.ts";
import { until } from "./temp-home.ts";

export const PASSWORD = "a long enough password";
export const newEmail = (): string => `${randomUUID()}@example.org`;

/** A device in memory whose database outlives its processes. */
export interface TestDevice {
  device: Device;
  store: MemoryDeviceStore;
  account: MemoryAccountStore;
  keys: MemoryKeyStore;
  faults: { what: string; error: unknown }[];
  options: DeviceOptions;
  /** Ends this process and begins another one on the same database. */
  restart(): Promise<void>;
}

/** Opens a device on a database in memory. It is started, and signed out. */
export async function openTestDevice(
  name: string,
  change: Partial<DeviceOptions> & { kind?: AboutDevice["kind"] } = {},
): Promise<TestDevice> {
  const { kind = "daemon", ...options } = change;
  const deviceId = randomUUID();
  const store = new MemoryDeviceStore(deviceId);
  const account = new MemoryAccountStore(async () => {
    Object.assign(store.data, newStoreData(deviceId));
  });
  const keys = new MemoryKeyStore();
  const faults: TestDevice["faults"] = [];
  const about: AboutDevice = { name, kind, platform: kind === "browser" ? "web" : "linux", version: "0.0.1" };
  const all = (): DeviceOptions => ({
    store,
    account,
    keys,
    about,
    deviceId,
    boot: randomUUID(),
    clock: () => new Date().toISOString(),
    fetch: fetchFromOwnAddress(),
    onFault: (fault) => faults.push(fault),
    ...options,
  });
  const own = all();
  const test: TestDevice = {
    device: openDevice(own),
    store,
    account,
    keys,
    faults,
    options: own,
    async restart() {
      await test.device.close();
      test.options = all();
      test.device = openDevice(test.options);
      await test.device.start();
    },
  };
  await test.device.start();
  return test;
}

/** Signs up with this device as the first of a new account; its recovery code. */
export async function signUpWith({ device }: TestDevice, cloudUrl: string, email = newEmail()): Promise<string> {
  const made = await device.account.signUp({ cloudUrl, email, password: PASSWORD });
  if (!made.ok) throw new Error(`${made.code}: ${made.reason}`);
  if (made.recoveryCode === null) throw new Error("no recovery code was made");
  return made.recoveryCode;
}

/** Lets `to` in from `from`, by code and digits. */
export async function pairWith(from: TestDevice, to: TestDevice, cloudUrl: string): Promise<string> {
  const begun = await to.device.pair.begin({ cloudUrl });
  if (!begun.ok) throw new Error(begun.reason);
  const { pairingId, userCode } = begun;
  const found = await from.device.pair.lookUp({ code: userCode });
  if (!found.ok) throw new Error(found.reason);
  const shown = await to.device.pair.state(pairingId);
  if (shown.state !== "digits") throw new Error(`no digits: ${JSON.stringify(shown)}`);
  const approved = await from.device.pair.approve({ pairingId, digits: shown.digits });
  if (!approved.ok) throw new Error(approved.reason);
  await to.device.pair.state(pairingId);
  const joined = await to.device.pair.accept(pairingId);
  if (joined.state !== "joined") throw new Error(JSON.stringify(joined));
  return joined.deviceId;
}

/** Writes a record of a device's own, as its owner does. */
export async function writeRecord(
  test: TestDevice,
  record: { kind: number; id: string; body: unknown },
): Promise<void> {
  const key = { kind: record.kind, id: record.id };
  const me = test.device.writing()?.deviceId ?? "";
  await test.store.apply({ records: [key] }, (view) => {
    const draft = new Draft(view);
    draft.putRecord(key, editRecord(draft.record(key), { ...key, body: JSON.stringify(record.body) }, me));
    return { changes: draft.changes(), result: undefined };
  });
  test.device.changed();
}

/** Appends events to a log of a device's own, as its owner does. */
export async function appendLines(test: TestDevice, streamId: string, lines: readonly string[]): Promise<void> {
  const writing = test.device.writing();
  if (!writing) throw new Error("not signed in");
  const held = await test.store.logOf(streamId);
  const from = (held?.lastSeq ?? 0) + 1;
  const events = lines.map((line, at) => ({ id: `${streamId}:${from + at}`, line }));
  const macs = await writing.chain({ streamId, prevMac: held?.tailMac ?? CHAIN_START, from, events });
  const chained = events.map((event, at) => ({ ...event, seq: from + at, mac: macs[at] ?? "" }));
  await test.store.apply({ logs: [streamId] }, (view) => {
    const draft = new Draft(view);
    const log = draft.log(streamId) ?? newLog({ streamId, kind: 1, writer: writing.deviceId });
    appendOwn(draft, log, { chained });
    return { changes: draft.changes(), result: undefined };
  });
  test.device.changed();
}

/** Waits until a record is readable on a device; its body. */
export async function waitForRecord(test: TestDevice, key: { kind: number; id: string }): Promise<string> {
  let body: string | null = null;
  await until(async () => {
    body = test.store.data.records.get(`${key.kind}:${key.id}`)?.body ?? null;
    return body !== null;
  });
  return body ?? "";
}

/** Opens a log of another device here, so that its events come. */
export async function followOn(reader: TestDevice, streamId: string, owner: TestDevice): Promise<void> {
  const writer = owner.device.writing()?.deviceId ?? "";
  await reader.store.apply({ logs: [streamId] }, (view) => {
    const draft = new Draft(view);
    followLog(draft, { streamId, kind: 1, writer });
    return { changes: draft.changes(), result: undefined };
  });
  reader.device.changed();
}

/** The lines of a log as they lie on a device. */
export const linesOn = ({ store }: TestDevice, streamId: string): string[] =>
  (store.data.events.get(streamId) ?? []).map(({ line }) => line);
