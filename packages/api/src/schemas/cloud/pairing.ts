/** Pairing as the cloud sees it (V29–V32): commitments, sealed messages, a state, and a platform; no name, no key. */
import * as z from "zod";
import { envelope, rosterStatement } from "./roster.ts";
import { bytes16, bytes32, bytesUpTo, instant, platform, refused, uuid } from "./wire.ts";

/** As a person types it: case, spaces and the dash do not count, nor what looks alike. */
const userCode = z
  .string()
  .max(40)
  .transform((typed) => typed.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll(/[IL]/g, "1").replaceAll("O", "0"))
  .pipe(z.string().regex(/^[0-9A-HJKMNP-TV-Z]{8}$/, "This is not a pairing code."));

const pollToken = bytes32;
const pairingId = uuid;
const message = bytesUpTo(8_192);

/** 128 random bits, which save typing the user code; the cloud holds their hash. */
const invitation = bytes16;

export const startPairing = z.object({
  commit: bytes32,
  platform,
  /** Tells the device that made it which pairing this is. It lets nobody in. */
  invitation: invitation.optional(),
});
export type StartPairing = z.infer<typeof startPairing>;
export const startedPairing = z.union([
  z.object({
    pairingId,
    /** Eight symbols, a dash in the middle. */
    userCode: z.string(),
    pollToken,
    /** Seconds. */
    expiresIn: z.number(),
  }),
  /** Only of an invitation: it was used, has expired, was never made, or its device was removed. */
  refused(["INVITATION_GONE"]),
]);
export type StartedPairing = z.infer<typeof startedPairing>;

export const lookupPairing = z.object({ userCode });
export type LookupPairing = z.infer<typeof lookupPairing>;

const GONE = ["PAIR_EXPIRED", "NOT_ALLOWED", "CONFLICT"] as const;
export const lookedUpPairing = z.discriminatedUnion("ok", [
  z.object({
    ok: z.literal(true),
    pairingId,
    commit: bytes32,
    platform,
    /** The address that the new device came from, as this cloud saw it. */
    place: z.string(),
    /** Seconds since it was started. */
    age: z.number(),
  }),
  refused(["PAIR_EXPIRED", "NOT_ALLOWED"]),
]);
export type LookedUpPairing = z.infer<typeof lookedUpPairing>;

export const invitedPairing = z.discriminatedUnion("ok", [
  z.object({
    ok: z.literal(true),
    invitation,
    /** Seconds. */
    expiresIn: z.number(),
  }),
  refused(["NOT_ALLOWED"]),
]);
export type InvitedPairing = z.infer<typeof invitedPairing>;

export const aboutInvitation = z.object({ invitation });
export type AboutInvitation = z.infer<typeof aboutInvitation>;
/** What the device that invited sees: nobody came yet, or what `lookup` says of the pairing that was started with it. */
export const invitationState = z.union([z.object({ waiting: z.literal(true) }), lookedUpPairing]);
export type InvitationState = z.infer<typeof invitationState>;

export const offerPairing = z.object({ pairingId, msgO: message, qrTag: bytes32.optional() });
export type OfferPairing = z.infer<typeof offerPairing>;

export const pollPairing = z.object({ pollToken });
export type PollPairing = z.infer<typeof pollPairing>;
/** What the new device sees. `dead` is all that is told of a pairing that expired, was refused or was redeemed. */
export const polledPairing = z.discriminatedUnion("state", [
  z.object({ state: z.literal("open") }),
  z.object({ state: z.literal("offered"), msgO: message, qrTag: bytes32.nullable() }),
  z.object({ state: z.literal("revealed") }),
  z.object({ state: z.literal("approved") }),
  z.object({ state: z.literal("dead") }),
]);
export type PolledPairing = z.infer<typeof polledPairing>;

export const revealPairing = z.object({ pollToken, enc: bytes32, ct: message });
export type RevealPairing = z.infer<typeof revealPairing>;

export const aboutPairing = z.object({ pairingId });
export type AboutPairing = z.infer<typeof aboutPairing>;
/** What the device that made the offer sees. */
export const offeredPairing = z.discriminatedUnion("state", [
  z.object({ state: z.literal("offered") }),
  z.object({ state: z.literal("revealed"), enc: bytes32, ct: message }),
  z.object({ state: z.literal("approved") }),
  z.object({ state: z.literal("dead") }),
]);
export type OfferedPairing = z.infer<typeof offeredPairing>;

export const approvePairing = z.object({ pairingId, statement: rosterStatement, envelope });
export type ApprovePairing = z.infer<typeof approvePairing>;

/** Either side ends it: digits that do not agree, a commitment that does not fit, or a person's no. */
export const endPairing = z.union([
  z.object({ pairingId }).strict(),
  z.object({ pollToken }).strict(),
  /** The device that invited takes it back. */
  z.object({ invitation }).strict(),
]);
export type EndPairing = z.infer<typeof endPairing>;

export const pairingStep = z.discriminatedUnion("ok", [z.object({ ok: z.literal(true) }), refused(GONE)]);
export type PairingStep = z.infer<typeof pairingStep>;

export const redeemedPairing = z.discriminatedUnion("ok", [
  z.object({
    ok: z.literal(true),
    vault: bytes16,
    /** The whole roster; the last one adds the new device. */
    statements: z.array(rosterStatement),
    envelope,
    device: z.object({ id: uuid, createdAt: instant }),
  }),
  refused(["PAIR_EXPIRED"]),
]);
export type RedeemedPairing = z.infer<typeof redeemedPairing>;
