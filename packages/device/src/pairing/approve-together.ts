import { CloudCallError } from "@codehands/api/cloud-client";
import {
  activeDevice,
  approveNewcomer,
  type EnvelopePayload,
  type KnownNewcomer,
  type Role,
  toBase64url,
} from "@codehands/vault";
import type { ExtendDeps } from "../roster/extend-together.ts";
import { type PairingRefusal, refusePairing } from "./refuse-pairing.ts";

/** What the device that lets another one in hands over besides keys. */
export interface Approver {
  /** ISO time of now. */
  clock: () => string;
  /** What the newcomer inherits: what was seen of other devices, and how account and inviter are called. */
  handOver: () => Promise<Pick<EnvelopePayload, "seen" | "account">>;
}

/** How often another device may be quicker. */
const TRIES = 6;
const NO_ROOTS =
  "This device cannot hand keys on. Let the new one in from a computer, or use the recovery code on the new device.";

/**
 * Writes the statement that lets the newcomer in and hands it over with its envelope, on the newest roster, again when
 * another device was quicker (V8). Null when the newcomer is a member.
 */
export async function approveTogether(
  { member, loop, approver }: ExtendDeps & { approver: Approver },
  known: KnownNewcomer,
  { pairingId, roles }: { pairingId: string; roles?: Role[] | undefined },
): Promise<PairingRefusal | null> {
  let refused: PairingRefusal | null = null;
  const { id } = known.newcomer;
  for (let tries = 0; tries < TRIES; tries++) {
    await loop.pullRoster();
    const { roster, roots } = member;
    // Done before, and only its answer was lost.
    if (activeDevice(roster, id)) return null;
    if (refused && refused.code !== "CONFLICT") return refused;
    if (!roots) return { ok: false, code: "KEY_MISSING", reason: NO_ROOTS };
    const payload = { keys: roots, ...(await approver.handOver()) };
    const approval = { at: approver.clock(), payload, ...(roles && { roles }) };
    const approved = await approveNewcomer(known, approval, roster);
    if (!approved.ok) return refusePairing(approved.code);
    const { statement } = approved.value;
    // What it is bound to stands beside it, so that a newcomer that lost the answer finds it again.
    const envelope = { ...approved.value.envelope, context: toBase64url(known.transcript) };
    try {
      const answer = await loop.calls.call((client) =>
        client.pairing.approve.mutate({ pairingId, statement, envelope }),
      );
      refused = answer.ok ? null : refusePairing(answer.code, answer.reason);
    } catch (error) {
      if (!(error instanceof CloudCallError)) throw error;
      refused = { ok: false, code: error.code, reason: error.message };
    }
  }
  return refused ?? refusePairing("CONFLICT");
}
