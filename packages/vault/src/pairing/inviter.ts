import { equalBytes } from "../bytes/join-bytes.ts";
import type { Envelope } from "../envelopes/envelope.ts";
import type { EnvelopePayload } from "../envelopes/payload.ts";
import { sealEnvelope } from "../envelopes/seal-envelope.ts";
import type { DeviceKeys } from "../keys/device-keys.ts";
import { type Outcome, outcomeOf } from "../outcome.ts";
import { type HpkeMessage, hpkeOpen } from "../primitives/hpke.ts";
import { type RandomBytes, randomBytes } from "../primitives/web-crypto.ts";
import { foldStatements } from "../roster/fold-roster.ts";
import { makeStatement } from "../roster/make-statement.ts";
import { activeDevice, type Roster } from "../roster/roster.ts";
import { ROLES, type Role, type Statement } from "../roster/statement.ts";
import { fail } from "../vault-error.ts";
import {
  type NewcomerMessage,
  pairCommit,
  pairDigits,
  pairQrTag,
  pairTranscript,
  readNewcomer,
  revealBinding,
  writeOffer,
} from "./pairing-messages.ts";

/** A device that lets another one in: an active admin (V29). */
export interface Inviter {
  id: string;
  keys: DeviceKeys;
  roster: Roster;
}

/** What `lookup` told, or what the QR holds: then its commit counts and not the cloud's. */
export interface PairingFound {
  pairingId: Uint8Array;
  commit: Uint8Array;
  /** Null without a QR. */
  qrSecret: Uint8Array | null;
}

/** An offer that was made: one for each pairing, with a nonce that is never used again. */
export interface MadeOffer extends PairingFound {
  inviter: Inviter;
  /** msgO: what `offer` tells the cloud. */
  message: Uint8Array;
  /** Goes with it after a QR. */
  qrTag: Uint8Array | null;
}

/** Makes the offer of step 3. Refuses with NOT_ALLOWED when this device is no active admin. */
export function makeOffer(
  inviter: Inviter,
  found: PairingFound,
  random: RandomBytes = randomBytes,
): Promise<Outcome<MadeOffer>> {
  return outcomeOf(async () => {
    const { id, keys, roster } = inviter;
    if (!activeDevice(roster, id)?.roles.includes("admin")) fail("NOT_ALLOWED", id);
    const held = { id, sign: keys.sign.publicKey, agree: keys.agree.publicKey, nonce: random(32) };
    const message = writeOffer({ vault: roster.vault, roster: { seq: roster.seq, hash: roster.hash }, ...held });
    const view = { pairingId: found.pairingId, commit: found.commit, offer: message };
    const qrTag = found.qrSecret === null ? null : await pairQrTag(found.qrSecret, view);
    return { ...found, inviter, message, qrTag };
  });
}

/** A newcomer who showed who it is; the person has not agreed yet. */
export interface KnownNewcomer {
  offer: MadeOffer;
  newcomer: NewcomerMessage;
  transcript: Uint8Array;
  /** Never shown here: the person types what the other device shows (V29, step 8). */
  digits: string;
  /** Of at most three. */
  wrongTries: number;
  /** True when the commitment came by QR, or the digits were right. */
  isConfirmed: boolean;
}

/** Opens the reveal (step 6). Refuses with PAIR_COMMITMENT, then the pairing is dead; BAD_SEAL, BAD_KEY, BAD_FORMAT. */
export function openReveal(offer: MadeOffer, reveal: HpkeMessage): Promise<Outcome<KnownNewcomer>> {
  return outcomeOf(async () => {
    const { pairingId, commit, message } = offer;
    const sealed = await hpkeOpen(offer.inviter.keys.agree, await revealBinding(pairingId, message), reveal);
    if (!equalBytes(await pairCommit(sealed), commit)) fail("PAIR_COMMITMENT", "pairing");
    const newcomer = readNewcomer(sealed);
    const transcript = await pairTranscript({ pairingId, commit, offer: message, newcomer: sealed });
    const digits = await pairDigits(transcript);
    return { offer, newcomer, transcript, digits, wrongTries: 0, isConfirmed: offer.qrSecret !== null };
  });
}

const MOST_TRIES = 3;

/** What a person typed: confirmed, or one try less; after three the pairing is dead (PAIR_MISMATCH). Pure. */
export function typeDigits(
  known: KnownNewcomer,
  typed: string,
): { ok: true; known: KnownNewcomer } | { ok: false; code: "PAIR_MISMATCH"; known: KnownNewcomer; triesLeft: number } {
  const isRight = known.wrongTries < MOST_TRIES && typed.replaceAll(/\s/g, "") === known.digits;
  if (isRight) return { ok: true, known: { ...known, isConfirmed: true } };
  const wrongTries = Math.min(MOST_TRIES, known.wrongTries + 1);
  const next = { ...known, wrongTries, isConfirmed: false };
  return { ok: false, code: "PAIR_MISMATCH", known: next, triesLeft: MOST_TRIES - wrongTries };
}

/** A newcomer's name as it may be shown: no control or direction characters, at most 64 (V29). */
export function shownName(name: string): string {
  return [...name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "")].slice(0, 64).join("");
}

/** What a device gets unless the person says otherwise (V33): a page that the cloud serves may send commands only. */
export const rolesFor = (platform: string): Role[] => (platform === "web" ? ["command"] : [...ROLES]);

export interface Approval {
  /** The person's choice; `rolesFor` the platform when absent. */
  roles?: Role[];
  /** ISO, for display only. */
  at: string;
  /** Roots of all epochs, what this device has seen, and the account's name. */
  payload: EnvelopePayload;
}

/**
 * The statement that lets the newcomer in and its envelope (step 9), on top of the roster given in the offer or a
 * later one. Refuses with PAIR_MISMATCH before the person has confirmed, KEY_MISSING without all roots.
 */
export function approveNewcomer(
  known: KnownNewcomer,
  approval: Approval,
  roster: Roster = known.offer.inviter.roster,
): Promise<Outcome<{ statement: Statement; envelope: Envelope; roster: Roster }>> {
  return outcomeOf(async () => {
    const { offer, newcomer, transcript } = known;
    if (!known.isConfirmed) fail("PAIR_MISMATCH", "not confirmed");
    const held = new Set(approval.payload.keys.map(({ epoch }) => epoch));
    for (let epoch = 1; epoch <= roster.epoch; epoch++) if (!held.has(epoch)) fail("KEY_MISSING", `epoch ${epoch}`);
    const { id, sign, agree, platform } = newcomer;
    const roles = approval.roles ?? rolesFor(platform).filter((role) => newcomer.roles.includes(role));
    const signer = { by: offer.inviter.id, privateKey: offer.inviter.keys.sign.privateKey };
    const plan = { roster, at: approval.at, ops: [{ op: "add", id, sign, agree, roles, platform } as const] };
    const statement = await makeStatement(plan, signer);
    const next = await foldStatements([statement], roster);
    const envelope = await sealEnvelope(
      { roster: next, to: id, payload: approval.payload, context: transcript },
      signer,
    );
    return { statement, envelope, roster: next };
  });
}
