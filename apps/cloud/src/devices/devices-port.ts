import type { DevicesPort, TokenAnswer, TokenInput } from "@codehands/api/cloud";
import { verifyChallenge } from "@codehands/vault";
import type { Sql } from "postgres";
import { addressKey } from "../http/client-address.ts";
import type { Limits } from "../limits/open-limits.ts";
import type { RosterStore } from "../roster/roster-store.ts";
import { makeChallenge, makeToken, pretendChallenge, useChallenge } from "./access-tokens.ts";
import { cutOff, readDevices, rolesOf } from "./device-rows.ts";

export interface DevicesDeps {
  sql: Sql;
  limits: Limits;
  rosters: RosterStore;
  /** The origins that this cloud is dialled at: what is signed has to name one of them (V28). */
  origins: readonly string[];
  /** Ends the live streams of a device on this server. */
  cut: (accountId: string, deviceId: string) => void;
}

const refuse = (code: Extract<TokenAnswer, { ok: false }>["code"], reason: string): TokenAnswer => ({
  ok: false,
  code,
  reason,
});

/** Challenges, access tokens, and the list of devices. */
export function createDevicesPort(deps: DevicesDeps): DevicesPort {
  const { sql, limits, rosters } = deps;
  return {
    async challenge({ vaultId, deviceId }, address) {
      await limits.take("challenge", addressKey(address));
      const account = await rosters.accountOf(vaultId);
      const { secret, expiresAt } =
        account === null ? await pretendChallenge(sql) : await makeChallenge(sql, account, deviceId);
      return { challenge: secret, expiresAt };
    },

    async token(input, address) {
      await limits.take("challenge", addressKey(address));
      const account = await rosters.accountOf(input.vaultId);
      if (account === null) return refuse("UNKNOWN", "This cloud does not know this vault. Pair this device again.");
      const { deviceId, challenge } = input;
      if (!(await useChallenge(sql, { accountId: account, deviceId, challenge })))
        return refuse("EXPIRED", "This challenge was used or has expired. Ask for a new one.");
      if (input.statements !== undefined) await rosters.takeBack(account, input.statements);
      return prove(deps, account, input);
    },

    list: ({ accountId }) => readDevices(sql, accountId),

    async revoke(caller, deviceId) {
      if (caller.kind === "device" && caller.deviceId !== deviceId) {
        const roles = await rolesOf(sql, caller.accountId, caller.deviceId);
        if (!roles?.includes("admin"))
          return { ok: false, code: "NOT_ALLOWED", reason: "Only an admin device may cut another one off." };
      }
      const cut = await cutOff(sql, caller.accountId, deviceId);
      if (cut === null) return { ok: false, code: "UNKNOWN_DEVICE", reason: "This account has no such device." };
      deps.cut(caller.accountId, deviceId);
      return { ok: true, rosterPending: cut.inRoster };
    },
  };
}

/** Gives a token to a member of the roster who signed the challenge for one of our own origins. */
async function prove(deps: DevicesDeps, account: string, input: TokenInput): Promise<TokenAnswer> {
  const roster = await deps.rosters.read(account);
  const device = roster?.devices.get(input.deviceId);
  if (roster === null || device === undefined)
    return refuse("UNKNOWN", "This cloud does not know this device. Pair it again; what it holds is kept.");
  const challenge = Buffer.from(input.challenge, "base64url");
  const signature = Buffer.from(input.signature, "base64url");
  // Of a device that was removed, its signature still proves that it is told about itself.
  const asMember = { ...roster, devices: new Map(roster.devices).set(device.id, { ...device, removed: null }) };
  const proofs = deps.origins.map((origin) =>
    verifyChallenge(asMember, { origin, device: device.id, challenge }, signature),
  );
  if (!(await Promise.all(proofs)).some(({ ok }) => ok))
    return refuse("BAD_SIGNATURE", `The signature does not fit. It has to name the address ${deps.origins[0]}.`);
  const token = device.removed === null ? await makeToken(deps.sql, account, device.id) : null;
  if (token === null) return refuse("REVOKED", "This device was cut off. What it holds is kept.");
  return { ok: true, token: token.secret, expiresAt: token.expiresAt };
}
