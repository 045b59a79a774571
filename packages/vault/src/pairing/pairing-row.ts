import type { Refused } from "../outcome.ts";
import type { HpkeMessage } from "../primitives/hpke.ts";

export const PAIRING_STATES = ["open", "offered", "revealed", "approved", "redeemed", "dead"] as const;
export type PairingState = (typeof PAIRING_STATES)[number];

/** A pairing as the cloud keeps it; it goes at redeem or expiry. It holds no name and no key of the newcomer. */
export interface PairingRow {
  state: PairingState;
  commit: Uint8Array;
  /** Set by the first lookup-and-offer: no other account can touch the pairing after. */
  accountId: string | null;
  offerBy: string | null;
  offer: Uint8Array | null;
  qrTag: Uint8Array | null;
  reveal: HpkeMessage | null;
  /** The cloud's clock, milliseconds. */
  expiresAt: number;
}

export type PairingStep =
  | { step: "offer"; accountId: string; by: string; message: Uint8Array; qrTag: Uint8Array | null }
  | { step: "reveal"; reveal: HpkeMessage }
  | { step: "approve"; accountId: string; by: string }
  | { step: "redeem" }
  /** A device gave up: wrong commitment, wrong digits, or the person said no. */
  | { step: "kill" };

export type PairingChange = { ok: true; row: PairingRow } | Refused;

/**
 * One step of a pairing (V32): one offer, one reveal, one approval, one redeem, in this order. The caller writes the
 * row only where its old state still stands (compare-and-set), so that one of many parallel steps wins. Refuses with
 * PAIR_EXPIRED, CONFLICT (not its turn) or NOT_ALLOWED (another account or device).
 */
export function applyPairing(row: PairingRow, step: PairingStep, now: number): PairingChange {
  const no = (code: Refused["code"]): Refused => ({ ok: false, code, reason: `pairing is ${row.state}` });
  if (now >= row.expiresAt) return no("PAIR_EXPIRED");
  switch (step.step) {
    case "offer": {
      if (row.state !== "open") return no("CONFLICT");
      const { accountId, by: offerBy, message: offer, qrTag } = step;
      return { ok: true, row: { ...row, state: "offered", accountId, offerBy, offer, qrTag } };
    }
    case "reveal":
      return row.state === "offered"
        ? { ok: true, row: { ...row, state: "revealed", reveal: step.reveal } }
        : no("CONFLICT");
    case "approve":
      if (row.state !== "revealed") return no("CONFLICT");
      if (row.accountId !== step.accountId || row.offerBy !== step.by) return no("NOT_ALLOWED");
      return { ok: true, row: { ...row, state: "approved" } };
    case "redeem":
      return row.state === "approved" ? { ok: true, row: { ...row, state: "redeemed" } } : no("CONFLICT");
    case "kill":
      return row.state === "redeemed" ? no("CONFLICT") : { ok: true, row: { ...row, state: "dead" } };
  }
}

/** A fresh row, as `start` writes it. */
export function openPairing(commit: Uint8Array, expiresAt: number): PairingRow {
  const nothing = { accountId: null, offerBy: null, offer: null, qrTag: null, reveal: null };
  return { state: "open", commit, ...nothing, expiresAt };
}
