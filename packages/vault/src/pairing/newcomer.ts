import { toBase64url } from "../bytes/base64url.ts";
import { equalBytes } from "../bytes/join-bytes.ts";
import type { EnvelopePayload } from "../envelopes/payload.ts";
import { unsealEnvelope } from "../envelopes/seal-envelope.ts";
import type { DeviceKeys } from "../keys/device-keys.ts";
import { type Outcome, outcomeOf } from "../outcome.ts";
import { type HpkeMessage, hpkeSeal } from "../primitives/hpke.ts";
import type { KeyPair } from "../primitives/key-pair.ts";
import { type RandomBytes, randomBytes } from "../primitives/web-crypto.ts";
import { foldStatements } from "../roster/fold-roster.ts";
import type { Roster } from "../roster/roster.ts";
import { parseStatement, type Role, readWire } from "../roster/statement.ts";
import { fail } from "../vault-error.ts";
import {
  pairCommit,
  pairDigits,
  pairQrTag,
  pairTranscript,
  readOffer,
  revealBinding,
  writeNewcomer,
} from "./pairing-messages.ts";
import type { PairingQr } from "./qr-text.ts";
import { PAIRING_MS } from "./user-code.ts";

/** A new device before it has told anybody who it is (V29, step 1). */
export interface Newcomer {
  id: string;
  keys: DeviceKeys;
  /** msgN: its exact bytes. */
  message: Uint8Array;
  /** What `start` tells the cloud. */
  commit: Uint8Array;
  /** Never sent to the cloud; it stands in the QR. */
  qrSecret: Uint8Array;
}

export interface NewcomerFacts {
  id: string;
  keys: DeviceKeys;
  name: string;
  platform: string;
  roles: Role[];
  random?: RandomBytes;
}

/** Makes the message and the commitment of a new device. One for each pairing: nothing is retried with an old nonce. */
export async function openNewcomer(facts: NewcomerFacts): Promise<Newcomer> {
  const { id, keys, name, platform, roles, random = randomBytes } = facts;
  const nonce = random(32);
  const held = { sign: keys.sign.publicKey, agree: keys.agree.publicKey, nonce };
  const message = writeNewcomer({ id, name, platform, roles, ...held });
  return { id, keys, message, commit: await pairCommit(message), qrSecret: random(16) };
}

/** A pairing as `start` answered it. */
export interface StartedPairing {
  newcomer: Newcomer;
  /** 16 bytes. */
  pairingId: Uint8Array;
  /** By this device's own clock, milliseconds. */
  startedAt: number;
}

/** What a QR of this pairing holds. */
export const qrOf = ({ newcomer, pairingId }: StartedPairing): PairingQr => ({
  pairingId,
  commit: newcomer.commit,
  secret: newcomer.qrSecret,
});

/** A new device that has told the other side who it is: there is no way back to another offer. */
export interface RevealedPairing extends StartedPairing {
  offer: Uint8Array;
  /** What `reveal` tells the cloud. */
  reveal: HpkeMessage;
  transcript: Uint8Array;
  /** Shown here and typed on the other device; not with a QR. */
  digits: string;
  byQr: boolean;
}

export interface OfferSeen {
  /** msgO, the first that came; a later one is not looked at. */
  message: Uint8Array;
  /** Absent without a QR. */
  qrTag: Uint8Array | null;
  /** Own clock, milliseconds. */
  now: number;
  /** True when the person chose the QR: an offer without its tag is then refused. */
  byQr: boolean;
  /** Fixed in tests only. */
  ephemeral?: KeyPair;
}

/**
 * Answers the first offer (step 5). It takes a pairing that has not revealed, by its type. Refuses with PAIR_EXPIRED
 * after ten minutes of its own, PAIR_MISMATCH for an offer that does not come from whoever read the QR (V31), BAD_KEY,
 * BAD_FORMAT.
 */
export function answerOffer(started: StartedPairing, seen: OfferSeen): Promise<Outcome<RevealedPairing>> {
  return outcomeOf(async () => {
    const { newcomer, pairingId } = started;
    const { message, ephemeral, byQr } = seen;
    if (isExpired(started, seen.now)) fail("PAIR_EXPIRED", "pairing");
    const view = { pairingId, commit: newcomer.commit, offer: message, newcomer: newcomer.message };
    if (byQr && !equalBytes(seen.qrTag ?? new Uint8Array(0), await pairQrTag(newcomer.qrSecret, view)))
      fail("PAIR_MISMATCH", "an offer by somebody who did not read the QR");
    const to = { publicKey: readOffer(message).agree, ...(ephemeral && { ephemeral }) };
    const reveal = await hpkeSeal(to, await revealBinding(pairingId, message), newcomer.message);
    const transcript = await pairTranscript(view);
    return { ...started, offer: message, reveal, transcript, digits: await pairDigits(transcript), byQr };
  });
}

const isExpired = ({ startedAt }: StartedPairing, now: number): boolean => now - startedAt > PAIRING_MS;

/** What the cloud hands out once, when the other device has approved. */
export interface Redeemed {
  statements: readonly unknown[];
  envelope: unknown;
  now: number;
}

export interface Joined {
  roster: Roster;
  payload: EnvelopePayload;
  /** The id of the device that let this one in. */
  letInBy: string;
  /** True when a person has to say that the other device took these digits, before anything is stored (V30). */
  askPerson: boolean;
}

/**
 * The checks of V30. The caller stores nothing before the person has said yes, and else throws the keys away. Refuses
 * with PAIR_EXPIRED, VAULT_CHANGED, EQUIVOCATION, WRONG_PLACE, and what a roster or an envelope refuses with.
 */
export function finishPairing(pairing: RevealedPairing, redeemed: Redeemed): Promise<Outcome<Joined>> {
  return outcomeOf(async () => {
    if (isExpired(pairing, redeemed.now)) fail("PAIR_EXPIRED", "pairing");
    const { id, keys } = pairing.newcomer;
    const offer = readOffer(pairing.offer);
    const roster = await foldStatements(redeemed.statements, null);
    if (!equalBytes(roster.vault, offer.vault)) fail("VAULT_CHANGED", "pairing");
    if (!equalBytes(roster.hashes[offer.roster.seq] ?? new Uint8Array(0), offer.roster.hash))
      fail("EQUIVOCATION", `roster ${offer.roster.seq}`);
    checkLast(redeemed.statements.at(-1), { by: offer.id, id, keys });
    const inviter = roster.devices.get(offer.id);
    if (inviter === undefined || !equalBytes(inviter.sign, offer.sign)) fail("WRONG_PLACE", "let in by another device");
    const reader = { roster, to: id, agree: keys.agree, context: pairing.transcript };
    const payload = await unsealEnvelope(redeemed.envelope, reader);
    return { roster, payload, letInBy: offer.id, askPerson: !pairing.byQr };
  });
}

/** The last statement is the offering device's, and lets in this device with these keys and nobody else. */
function checkLast(statement: unknown, { by, id, keys }: { by: string; id: string; keys: DeviceKeys }): void {
  const body = parseStatement(readWire(statement).body);
  const [op, ...more] = body.ops;
  const isOurs =
    op?.op === "add" &&
    more.length === 0 &&
    op.id === id &&
    toBase64url(op.sign) === toBase64url(keys.sign.publicKey) &&
    toBase64url(op.agree) === toBase64url(keys.agree.publicKey);
  if (body.by !== by || !isOurs) fail("WRONG_PLACE", "the last statement does not let this device in");
}
