import { randomUUID } from "node:crypto";
import type { DeviceCaller, LookedUpPairing, PairingPort, PairingStep, PolledPairing } from "@codehands/api/cloud";
import { newUserCode, PAIRING_MS } from "@codehands/vault";
import type { Sql } from "postgres";
import { hashSecret, newInvitation, newSecret } from "../devices/access-tokens.ts";
import { rolesOf } from "../devices/device-rows.ts";
import { addressKey } from "../http/client-address.ts";
import type { Limits } from "../limits/open-limits.ts";
import type { RosterStore } from "../roster/roster-store.ts";
import { approvePairing } from "./approve-pairing.ts";
import { hashCode } from "./hash-code.ts";
import {
  dropInvitation,
  INVITATION_SECONDS,
  readInvitation,
  spendInvitation,
  storeInvitation,
} from "./invitation-rows.ts";
import { EXPIRED, INVITATION_GONE, NOT_ADMIN } from "./pairing-refusals.ts";
import { findPairing, type StoredPairing } from "./pairing-rows.ts";
import { redeemPairing } from "./redeem-pairing.ts";
import { stepPairing } from "./step-pairing.ts";

export interface PairingDeps {
  sql: Sql;
  limits: Limits;
  rosters: RosterStore;
}

/** Pairings (V29–V32). Rows hold a platform and sealed messages, and go at redeem or expiry. */
export function createPairingPort(deps: PairingDeps): PairingPort {
  const { sql, limits } = deps;
  const isAdmin = async ({ accountId, deviceId }: DeviceCaller): Promise<boolean> =>
    (await rolesOf(sql, accountId, deviceId))?.includes("admin") ?? false;
  return {
    async start({ commit, platform, invitation }, address) {
      await limits.take("pair-start", addressKey(address));
      const pairingId = randomUUID();
      const userCode = newUserCode();
      const pollToken = newSecret();
      const expiresIn = PAIRING_MS / 1_000;
      const isStarted = await sql.begin(async (tx) => {
        if (invitation !== undefined && !(await spendInvitation(tx, invitation, pairingId))) return false;
        await tx`
          insert into pairings (id, user_code_hash, poll_hash, platform, place, commit, state, expires_at)
          values (${pairingId}, ${hashCode(userCode)}, ${hashSecret(pollToken)}, ${platform}, ${address},
            ${Buffer.from(commit, "base64url")}, 'open', now() + make_interval(secs => ${expiresIn}))`;
        return true;
      });
      return isStarted ? { pairingId, userCode, pollToken, expiresIn } : INVITATION_GONE;
    },

    async lookup(device, userCode, address) {
      if (!(await isAdmin(device))) return NOT_ADMIN;
      // Counted before it is known whether it is right, so that guesses side by side are all counted.
      await limits.take("pair-code", addressKey(address));
      const row = await findPairing(sql, { code: hashCode(userCode) });
      if (row === null || row.state !== "open") return EXPIRED;
      await limits.giveBack("pair-code", addressKey(address));
      return lookedUp(row);
    },

    async invite(device) {
      if (!(await isAdmin(device))) return NOT_ADMIN;
      await limits.take("pair-invite", device.accountId);
      const invitation = newInvitation();
      if (!(await storeInvitation(sql, device, invitation))) return NOT_ADMIN;
      return { ok: true, invitation, expiresIn: INVITATION_SECONDS };
    },

    async invited(device, invitation) {
      if (!(await isAdmin(device))) return NOT_ADMIN;
      const found = await readInvitation(sql, device, invitation);
      if (found === null) return EXPIRED;
      if (found.pairingId === null) return { waiting: true };
      const row = await findPairing(sql, { id: found.pairingId });
      return row === null || row.state !== "open" ? EXPIRED : lookedUp(row);
    },

    async offer(device, { pairingId, msgO, qrTag }) {
      if (!(await isAdmin(device))) return NOT_ADMIN;
      const message = Buffer.from(msgO, "base64url");
      const tag = qrTag === undefined ? null : Buffer.from(qrTag, "base64url");
      return stepPairing(sql, { id: pairingId }, (row) => {
        // The same offer again: its answer was lost.
        if (row.state === "offered" && isOf(row, device) && row.msg_o?.equals(message)) return "done";
        return { step: "offer", accountId: device.accountId, by: device.deviceId, message, qrTag: tag };
      });
    },

    async poll(pollToken) {
      return polled(await findPairing(sql, { poll: hashSecret(pollToken) }));
    },

    async reveal({ pollToken, enc, ct }) {
      const reveal = { enc: Buffer.from(enc, "base64url"), ct: Buffer.from(ct, "base64url") };
      return stepPairing(sql, { poll: hashSecret(pollToken) }, (row) => {
        if (row.state === "revealed" && row.enc?.equals(reveal.enc) && row.ct?.equals(reveal.ct)) return "done";
        return { step: "reveal", reveal };
      });
    },

    async offered(device, pairingId) {
      const row = await findPairing(sql, { id: pairingId });
      if (row === null || !isOf(row, device)) return { state: "dead" };
      if (row.state === "revealed" && row.enc !== null && row.ct !== null)
        return { state: "revealed", enc: row.enc.toString("base64url"), ct: row.ct.toString("base64url") };
      return { state: row.state === "offered" || row.state === "approved" ? row.state : "dead" };
    },

    async approve(device, input) {
      if (!(await isAdmin(device))) return NOT_ADMIN;
      return approvePairing(deps, device, input);
    },

    redeem: (pollToken) => redeemPairing(sql, hashSecret(pollToken)),

    async end(input, device): Promise<PairingStep> {
      if ("pollToken" in input)
        return stepPairing(sql, { poll: hashSecret(input.pollToken) }, () => ({ step: "kill" }));
      if ("invitation" in input)
        return device !== null && (await dropInvitation(sql, device, input.invitation)) ? { ok: true } : EXPIRED;
      // Of an open pairing nobody is the owner yet: it ends by itself.
      return stepPairing(sql, { id: input.pairingId }, (row) =>
        device !== null && isOf(row, device) ? { step: "kill" } : "hidden",
      );
    },
  };
}

const isOf = (row: StoredPairing, device: DeviceCaller): boolean =>
  row.account_id === device.accountId && row.offer_by === device.deviceId;

const lookedUp = (row: StoredPairing): Extract<LookedUpPairing, { ok: true }> => ({
  ok: true,
  pairingId: row.id,
  commit: row.commit.toString("base64url"),
  platform: row.platform as "web",
  place: row.place ?? "unknown",
  age: Math.round(row.age),
});

function polled(row: StoredPairing | null): PolledPairing {
  switch (row?.state) {
    case "open":
    case "revealed":
    case "approved":
      return { state: row.state };
    case "offered":
      return {
        state: "offered",
        msgO: row.msg_o?.toString("base64url") ?? "",
        qrTag: row.qr_tag?.toString("base64url") ?? null,
      };
    default:
      return { state: "dead" };
  }
}
