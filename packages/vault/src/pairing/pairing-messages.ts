import { toBase64url } from "../bytes/base64url.ts";
import { joinBytes } from "../bytes/join-bytes.ts";
import { label } from "../bytes/label.ts";
import { utf8 } from "../bytes/text.ts";
import { bytes, listOf, object, oneOf, parseJson, text, uuid, whole } from "../parsing/strict-json.ts";
import { hmacRaw, sha256 } from "../primitives/hash.ts";
import { ROLES, type Role } from "../roster/statement.ts";
import { fail } from "../vault-error.ts";

/** What a new device says of itself, hidden from the cloud. */
export interface NewcomerMessage {
  id: string;
  sign: Uint8Array;
  agree: Uint8Array;
  name: string;
  platform: string;
  roles: Role[];
  nonce: Uint8Array;
}

/** What the device that lets another one in says of itself and its vault. */
export interface OfferMessage {
  /** 16 bytes. */
  vault: Uint8Array;
  roster: { seq: number; hash: Uint8Array };
  id: string;
  sign: Uint8Array;
  agree: Uint8Array;
  nonce: Uint8Array;
}

const v = (value: unknown): 1 => (value === 1 ? 1 : fail("UNKNOWN_FORMAT", "pairing format"));
const keys = { id: uuid, sign: bytes(32), agree: bytes(32), nonce: bytes(32) };
const newcomer = object({ v, ...keys, name: text(200), platform: text(32), roles: listOf(oneOf(...ROLES), 3) });
const offer = object({ v, ...keys, vault: bytes(16), roster: object({ seq: whole(0), hash: bytes(32) }) });

export function writeNewcomer(message: NewcomerMessage): Uint8Array {
  const { id, sign, agree, name, platform, roles, nonce } = message;
  const held = { sign: toBase64url(sign), agree: toBase64url(agree), name, platform, roles };
  return utf8(JSON.stringify({ v: 1, id, ...held, nonce: toBase64url(nonce) }));
}

export function writeOffer({ vault, roster, id, sign, agree, nonce }: OfferMessage): Uint8Array {
  const view = { seq: roster.seq, hash: toBase64url(roster.hash) };
  const held = { id, sign: toBase64url(sign), agree: toBase64url(agree), nonce: toBase64url(nonce) };
  return utf8(JSON.stringify({ v: 1, vault: toBase64url(vault), roster: view, ...held }));
}

/** Throws BAD_FORMAT or UNKNOWN_FORMAT. */
export const readNewcomer = (json: Uint8Array): NewcomerMessage => newcomer(parseJson(json));
/** Throws BAD_FORMAT or UNKNOWN_FORMAT. */
export const readOffer = (json: Uint8Array): OfferMessage => offer(parseJson(json));

/** What binds a new device to its keys before it sees anything of the other side (V29). */
export const pairCommit = (message: Uint8Array): Promise<Uint8Array> => sha256(label("pair-commit"), message);

/** The four things that a transcript is made of, as each side saw them. */
export interface PairingView {
  /** 16 bytes. */
  pairingId: Uint8Array;
  commit: Uint8Array;
  offer: Uint8Array;
  newcomer: Uint8Array;
}

/** Equal on both sides only when both saw the same messages. */
export async function pairTranscript({
  pairingId,
  commit,
  offer: msgO,
  newcomer: msgN,
}: PairingView): Promise<Uint8Array> {
  return sha256(label("pair-transcript"), pairingId, commit, await sha256(msgO), await sha256(msgN));
}

/** Six decimals of a transcript: shown by the new device, typed on the old one. */
export async function pairDigits(transcript: Uint8Array): Promise<string> {
  const hash = await sha256(label("pair-digits"), transcript);
  const value = hash.subarray(0, 8).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return String(value % 1_000_000n).padStart(6, "0");
}

/** Proves to a new device that the offer comes from whoever read its QR (V31). */
export const pairQrTag = (secret: Uint8Array, { pairingId, commit, offer: msgO }: Omit<PairingView, "newcomer">) =>
  hmacRaw(secret, joinBytes(label("pair-qr"), pairingId, commit, msgO));

/** What the reveal is bound to. */
export const revealBinding = async (pairingId: Uint8Array, msgO: Uint8Array) => ({
  info: joinBytes(label("pair-reveal"), pairingId),
  aad: await sha256(msgO),
});
