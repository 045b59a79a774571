import type { AccountDevice, AccountDevicesPort, DeviceAnswer } from "@codehands/api";
import { CloudCallError } from "@codehands/api/cloud-client";
import { activeDevice, activeDevices, fingerprint, type RosterOp, startEpoch } from "@codehands/vault";
import { DeviceError } from "../device-error.ts";
import { seenMarks } from "../device-record/find-suspicions.ts";
import type { DeviceHome } from "../home.ts";
import { extendTogether, planned } from "./extend-together.ts";
import { listDevices } from "./list-devices.ts";

const SIGNED_OUT = { ok: false, code: "no_account", reason: "This device is not signed in." } as const;

/** The devices of the account: all of them by the verified roster, named by their own signed records. */
export function createDevicesPort(home: DeviceHome): AccountDevicesPort {
  const list = async (): Promise<AccountDevice[]> =>
    home.member ? listDevices(home.member, await home.options.store.allRecords()) : [];
  return {
    list: async () => ({ devices: await list() }),

    async rename(name): Promise<DeviceAnswer> {
      if (!home.loop) return SIGNED_OUT;
      if (await home.loop.rename(name.trim())) return { ok: true, devices: await list() };
      return {
        ok: false,
        code: "not_sent",
        reason: "The name could not be written yet: other work is being sent first.",
      };
    },

    revoke: (deviceId) =>
      home.inTurn(async (): Promise<DeviceAnswer> => {
        const refused = await revokeDevice(home, deviceId.toLowerCase());
        return refused ?? { ok: true, devices: await list() };
      }),

    async fingerprint() {
      if (!home.member) return null;
      const { roster } = home.member;
      return { fingerprint: await fingerprint(roster), rosterSeq: roster.seq, devices: activeDevices(roster).length };
    },
  };
}

/**
 * Takes a device off the list with a new key epoch in one statement (V7, V8): the cloud refuses it from that moment on, and
 * whatever is written afterwards it cannot read. Null when that is done.
 */
async function revokeDevice({ member, loop, options }: DeviceHome, deviceId: string) {
  if (!member || !loop) return SIGNED_OUT;
  if (deviceId === member.id)
    return { ok: false, code: "own_device", reason: "This is the device you are at. Sign it out instead." } as const;
  if (!member.roles.includes("admin"))
    return { ok: false, code: "NOT_ALLOWED", reason: "This device may not change the list of devices." } as const;
  if (!member.roster.devices.has(deviceId)) await loop.pullRoster();
  if (!member.roster.devices.has(deviceId))
    return { ok: false, code: "not_found", reason: "The account has no such device." } as const;
  const cut = (await seenMarks(await options.store.allRecords(), loop.facts, member.id))[deviceId] ?? null;
  const ops: RosterOp[] = [{ op: "remove", id: deviceId, cut }];
  try {
    await extendTogether({ member, loop }, async (roster) => {
      if (activeDevice(roster, deviceId) === null) return null;
      return planned(() => startEpoch({ roster, by: member.id, keys: member.keys, at: options.clock(), ops }));
    });
    return null;
  } catch (error) {
    if (error instanceof CloudCallError) return { ok: false, code: error.code, reason: error.message } as const;
    if (error instanceof DeviceError) return { ok: false, code: error.code, reason: error.message } as const;
    throw error;
  }
}
