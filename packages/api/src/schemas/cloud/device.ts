import * as z from "zod";
import { rosterStatement } from "./roster.ts";
import { bytes16, bytes32, count, instant, refused, roles, signature, uuid } from "./wire.ts";

export const challengeInput = z.object({ vaultId: bytes16, deviceId: uuid });
export type ChallengeInput = z.infer<typeof challengeInput>;

/** What is to be signed (V28). It works once and for 60 s. */
export const challengeView = z.object({ challenge: bytes32, expiresAt: instant });
export type ChallengeView = z.infer<typeof challengeView>;

export const tokenInput = z.object({
  vaultId: bytes16,
  deviceId: uuid,
  challenge: bytes32,
  /** Over the origin that was dialled, the vault, the device and the challenge. */
  signature,
  /** The statements that this cloud lost when it was restored; only those that continue its own roster are taken. */
  statements: z.array(rosterStatement).max(64).optional(),
});
export type TokenInput = z.infer<typeof tokenInput>;

export const tokenAnswer = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), token: z.string(), expiresAt: instant }),
  refused(["EXPIRED", "UNKNOWN", "REVOKED", "BAD_SIGNATURE"]),
]);
export type TokenAnswer = z.infer<typeof tokenAnswer>;

/** A device as the cloud knows it: names and agents are sealed, so they are not here. */
export const cloudDevice = z.object({
  id: uuid,
  sign: bytes32,
  agree: bytes32,
  roles,
  platform: z.string(),
  createdAt: instant,
  /** When it last had a token; a hint of the cloud, nothing that was signed. */
  lastSeenAt: instant.nullable(),
  /** Cut off here, or removed from the roster. */
  revokedAt: instant.nullable(),
  /** False once the roster removed it. */
  inRoster: z.boolean(),
});
export type CloudDevice = z.infer<typeof cloudDevice>;
export const cloudDevices = z.array(cloudDevice);

export const revokeInput = z.object({ deviceId: uuid });
export type RevokeInput = z.infer<typeof revokeInput>;
export const revokeAnswer = z.discriminatedUnion("ok", [
  z.object({
    ok: z.literal(true),
    /** True while an admin device still has to remove it from the roster. */
    rosterPending: z.boolean(),
  }),
  refused(["UNKNOWN_DEVICE", "NOT_ALLOWED"]),
]);
export type RevokeAnswer = z.infer<typeof revokeAnswer>;

export const accountView = z.object({
  vault: bytes16.nullable(),
  rosterSeq: z.number(),
  devices: count,
  sessions: count,
});
export type AccountView = z.infer<typeof accountView>;
