import { utf8 } from "./text.ts";

/** Every label there is (§11). None is used for two purposes. */
export const LABELS = [
  "roster",
  "roster-hash",
  "commit",
  "key/segment",
  "key/chain",
  "key/record",
  "key/nonce",
  "key/id",
  "segment",
  "segment-sig",
  "record",
  "record-id",
  "record-sig",
  "chain",
  "checkpoint",
  "envelope",
  "envelope-sig",
  "auth",
  "pair-commit",
  "pair-transcript",
  "pair-digits",
  "pair-qr",
  "pair-reveal",
  "recovery",
  "recovery-check",
  "fingerprint",
] as const;
export type Label = (typeof LABELS)[number];

const made = new Map<Label, Uint8Array>(LABELS.map((name) => [name, utf8(`codehands/v1/${name}\0`)]));

/** The bytes that begin whatever is hashed, authenticated or signed for one purpose (V2): ending in a zero byte. */
export function label(name: Label): Uint8Array {
  return made.get(name) ?? utf8(`codehands/v1/${name}\0`);
}
