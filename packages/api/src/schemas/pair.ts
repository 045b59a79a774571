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

export const beginPairing = z.object({ cloudUrl: z.url({ protocol: /^https?$/ }).max(2_000) });
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
