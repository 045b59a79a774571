import { derivedRecordId } from "@codehands/vault";
import { createAccountPort } from "./account/account-port.ts";
import type { CommandAuthority, Device, Writing } from "./device.ts";
import { DeviceHome } from "./home.ts";
import { readBefore } from "./loop/read-before.ts";
import { createSyncPort } from "./loop/sync-port.ts";
import { newId } from "./new-id.ts";
import { createPairPort } from "./pairing/pair-port.ts";
import type { DeviceOptions } from "./ports/device-options.ts";
import { createReplicaSessions } from "./replica/replica-sessions.ts";
import { createDevicesPort } from "./roster/devices-port.ts";
import { createAuthority } from "./roster/judge-command.ts";
import { chainUnderNewest } from "./sealing/vault-sealing.ts";

/** How long a command waits for its owner's answer before it is told as pending. */
const PATIENCE_MS = 8_000;

/** Opens this device over its stores. It answers at once; `start` loads the account, if there is one, and syncs. */
export function openDevice(options: DeviceOptions): Device {
  const home = new DeviceHome(options);
  const changed = (): void => home.loop?.changed();
  return {
    account: createAccountPort(home),
    pair: createPairPort(home),
    devices: createDevicesPort(home),
    sync: createSyncPort(home),
    sessions: createReplicaSessions({
      store: options.store,
      me: () => (home.member ? { deviceId: home.member.id, name: options.about.name } : null),
      changed,
      eventsBefore: (range) => readBefore(home, range),
      clock: options.clock,
      newId: () => newId(Date.parse(options.clock())),
      patienceMs: PATIENCE_MS,
      isRemoved: (id) => (home.member?.roster.devices.get(id)?.removed ?? null) !== null,
    }),
    start: () => home.inTurn(() => home.load()),
    changed,
    writing: () => writingOf(home),
    authority: (): CommandAuthority | null => createAuthority(home),
    close: () => home.close(),
  };
}

function writingOf({ member }: DeviceHome): Writing | null {
  if (!member) return null;
  return {
    deviceId: member.id,
    recordId: (kind, parts) => derivedRecordId(member.ring, kind, parts),
    chain: (run) => chainUnderNewest(member, run),
  };
}
