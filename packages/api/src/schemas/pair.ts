/** Pairing as a person sees it: codes, digits, names. What the cloud sees of it is in `cloud/pairing.ts`. */
import * as z from "zod";

const refusedPairing = z.object({
  ok: z.literal(false),
  /** A code of the vault, or of the connection. */
  code: z.string(),
  reason: z.string(),
  /** After wrong digits: how many tries are left. */
  triesLeft: z.number().optional(),
});

export const beginPairing = z.object({
  cloudUrl: z.url({ protocol: /^https?$/ }).max(2_000),
  /** A whole address or the invitation alone, see `readInvitation`: then no code has to be typed on the other device. */
  invitation: z.string().min(1).max(2_000).optional(),
});
export type BeginPairing = z.infer<typeof beginPairing>;
/** The new device's side. */
export const begunPairing = z.discriminatedUnion("ok", [
  z.object({
    ok: z.literal(true),
    pairingId: z.string(),
    /** What a person types on the other device. */
    userCode: z.string(),
    /** What a camera reads instead. It holds a secret: never logged. */
    qrText: z.string(),
    /** ISO time. */
    expiresAt: z.string(),
  }),
  refusedPairing,
]);
export type BegunPairing = z.infer<typeof begunPairing>;

export const newcomerState = z.discriminatedUnion("state", [
  z.object({ state: z.literal("waiting") }),
  /** The person types these on the other device. */
  z.object({ state: z.literal("digits"), digits: z.string() }),
  /** Let in. `askPerson`: only after a yes is anything stored. */
  z.object({ state: z.literal("let_in"), digits: z.string(), letInBy: z.string(), askPerson: z.boolean() }),
  z.object({ state: z.literal("joined"), deviceId: z.string() }),
  z.object({ state: z.literal("dead"), code: z.string(), reason: z.string() }),
]);
export type NewcomerState = z.infer<typeof newcomerState>;

/** The other side: a device that is signed in and may let others in. A code, or a QR's text. */
export const lookUpPairing = z.union([
  z.object({ code: z.string().min(1).max(40) }).strict(),
  z.object({ qrText: z.string().min(1).max(2_000) }).strict(),
]);
export type LookUpPairing = z.infer<typeof lookUpPairing>;
export const foundPairing = z.discriminatedUnion("ok", [
  z.object({
    ok: z.literal(true),
    pairingId: z.string(),
    platform: z.string(),
    /** As told by the cloud. */
    place: z.string().nullable(),
    ageSeconds: z.number().nullable(),
    /** False after a QR: then nothing has to be typed. */
    needsDigits: z.boolean(),
  }),
  refusedPairing,
]);
export type FoundPairing = z.infer<typeof foundPairing>;

/** A device that may let others in expects one: what a phone's camera reads, or a person pastes on a computer. */
export const madeInvitation = z.discriminatedUnion("ok", [
  z.object({
    ok: z.literal(true),
    invitation: z.string(),
    /** The whole address. Whoever has it can ask to join, and is still asked for digits. */
    qrText: z.string(),
    /** ISO time. */
    expiresAt: z.string(),
  }),
  refusedPairing,
]);
export type MadeInvitation = z.infer<typeof madeInvitation>;
export const invitationById = z.object({ invitation: z.string().min(1).max(64) });
export const invitedState = z.discriminatedUnion("state", [
  z.object({ state: z.literal("waiting") }),
  /** A new device came with it, and has got the offer: it goes on as after a look-up. */
  z.object({
    state: z.literal("found"),
    pairingId: z.string(),
    platform: z.string(),
    place: z.string().nullable(),
    ageSeconds: z.number().nullable(),
  }),
  z.object({ state: z.literal("dead"), code: z.string(), reason: z.string() }),
]);
export type InvitedState = z.infer<typeof invitedState>;

export const inviterState = z.discriminatedUnion("state", [
  z.object({ state: z.literal("waiting") }),
  z.object({ state: z.literal("revealed"), name: z.string(), platform: z.string() }),
  z.object({ state: z.literal("approved") }),
  z.object({ state: z.literal("dead"), code: z.string(), reason: z.string() }),
]);
export type InviterState = z.infer<typeof inviterState>;

export const pairingById = z.object({ pairingId: z.string().min(1).max(64) });
export const approvePairingInput = z.object({
  ...pairingById.shape,
  /** As the person read them on the new device; not after a QR. */
  digits: z.string().max(20).optional(),
  roles: z.array(z.enum(["admin", "command", "run"])).optional(),
});
export type ApprovePairingInput = z.infer<typeof approvePairingInput>;
export const pairingAnswer = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), device: z.object({ id: z.string(), name: z.string() }).nullable() }),
  refusedPairing,
]);
export type PairingAnswer = z.infer<typeof pairingAnswer>;
