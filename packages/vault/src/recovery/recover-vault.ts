import { equalBytes } from "../bytes/join-bytes.ts";
import { RECOVERY, readEnvelope, recipientBytes } from "../envelopes/envelope.ts";
import type { EpochRoot } from "../envelopes/payload.ts";
import { unsealEnvelope } from "../envelopes/seal-envelope.ts";
import type { DeviceKeys } from "../keys/device-keys.ts";
import { type Outcome, outcomeOf } from "../outcome.ts";
import { foldStatements } from "../roster/fold-roster.ts";
import type { Roster } from "../roster/roster.ts";
import { fail } from "../vault-error.ts";

/** What the cloud gives to somebody who is logged in and holds a code. */
export interface StoredVault {
  /** From statement 0. */
  statements: readonly unknown[];
  /** All that are addressed to the recovery key; others are passed over. */
  envelopes: readonly unknown[];
}

export interface RecoveredVault {
  roster: Roster;
  /** Of every epoch, 1 first. */
  roots: EpochRoot[];
}

/**
 * What a recovery code opens (V34). The roster's recovery keys have to be this code's, and the statement that brought
 * them carries their signature (V6): so no cloud can invent a vault for a known code (BAD_CODE). KEY_MISSING when the
 * root of an epoch is in no envelope. There is no older memory: the cloud could have shown an older state until
 * another device's record agrees (V24), and the person is told.
 */
export function recoverVault(stored: StoredVault, keys: DeviceKeys): Promise<Outcome<RecoveredVault>> {
  return outcomeOf(async () => {
    const roster = await foldStatements(stored.statements, null);
    const { sign, agree } = roster.recovery;
    if (!equalBytes(sign, keys.sign.publicKey) || !equalBytes(agree, keys.agree.publicKey))
      fail("BAD_CODE", "this vault has another recovery code");
    const found = new Map<number, Uint8Array>();
    for (const envelope of stored.envelopes) {
      const { to, seq } = readEnvelope(envelope);
      // Those before the present code were for an earlier one.
      if (!equalBytes(to, recipientBytes(RECOVERY)) || seq < roster.recovery.seq) continue;
      const payload = await unsealEnvelope(envelope, { roster, to: RECOVERY, agree: keys.agree });
      for (const { epoch, root } of payload.keys) found.set(epoch, root);
    }
    const epochs = Array.from({ length: roster.epoch }, (_, at) => at + 1);
    const rootOf = (epoch: number): Uint8Array => found.get(epoch) ?? fail("KEY_MISSING", `epoch ${epoch}`);
    return { roster, roots: epochs.map((epoch) => ({ epoch, root: rootOf(epoch) })) };
  });
}
