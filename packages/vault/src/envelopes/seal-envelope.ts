import { toBase64url } from "../bytes/base64url.ts";
import { equalBytes } from "../bytes/join-bytes.ts";
import { checkRoot } from "../keys/root-key.ts";
import { type Outcome, outcomeOf } from "../outcome.ts";
import { hpkeOpen, hpkeSeal } from "../primitives/hpke.ts";
import type { KeyPair } from "../primitives/key-pair.ts";
import { sign } from "../primitives/signing.ts";
import type { Signer } from "../roster/make-statement.ts";
import { activeDevices, type Roster } from "../roster/roster.ts";
import { fail } from "../vault-error.ts";
import {
  checkSender,
  type Envelope,
  envelopeInfo,
  envelopeMessage,
  NO_CONTEXT,
  RECOVERY,
  readEnvelope,
  recipientBytes,
  recipientKey,
} from "./envelope.ts";
import { type EnvelopePayload, type EpochRoot, readPayload, writePayload } from "./payload.ts";

export interface EnvelopePlan {
  /** As it is after the statement that the envelope comes with. */
  roster: Roster;
  /** A device id, or "recovery". */
  to: string;
  payload: EnvelopePayload;
  /** The pairing's transcript; NO_CONTEXT otherwise. */
  context?: Uint8Array;
  /** Fixed in tests only. */
  ephemeral?: KeyPair;
}

/** Seals root keys to one member or to the recovery key (V18). Throws UNKNOWN_DEVICE for anybody else. */
export async function sealEnvelope(plan: EnvelopePlan, signer: Signer): Promise<Envelope> {
  const { roster, to, payload, context = NO_CONTEXT, ephemeral } = plan;
  const recipient = recipientBytes(to);
  const info = envelopeInfo(roster, recipient, roster.seq);
  const key = { publicKey: recipientKey(roster, to), ...(ephemeral && { ephemeral }) };
  const { enc, ct } = await hpkeSeal(key, { info, aad: context }, writePayload(payload));
  const sig = await sign(signer.privateKey, envelopeMessage(info, context, { enc, ct }));
  const sealed = { enc: toBase64url(enc), ct: toBase64url(ct), sig: toBase64url(sig) };
  return { v: 1, to: toBase64url(recipient), seq: roster.seq, by: signer.by, ...sealed };
}

/**
 * The envelopes that a statement with a new epoch needs (V8): that epoch's root for every member, and for the
 * recovery key too, which gets all of `roots` when the statement brought it (V18). The signer keeps one as well.
 */
export function sealEpochEnvelopes(roster: Roster, roots: readonly EpochRoot[], signer: Signer): Promise<Envelope[]> {
  const newest = roots.filter(({ epoch }) => epoch === roster.epoch);
  if (newest.length !== 1) fail("KEY_MISSING", `epoch ${roster.epoch}`);
  const forRecovery = roster.recovery.seq === roster.seq ? [...roots] : newest;
  const members = activeDevices(roster).map(({ id }) =>
    sealEnvelope({ roster, to: id, payload: { keys: newest } }, signer),
  );
  const recovery = sealEnvelope({ roster, to: RECOVERY, payload: { keys: forRecovery } }, signer);
  return Promise.all([...members, recovery]);
}

export interface EnvelopeReader {
  roster: Roster;
  /** The reader's own id, or "recovery". */
  to: string;
  agree: KeyPair;
  context?: Uint8Array;
}

/**
 * Opens an envelope for this reader (V18): its sender was an admin then, it signed, and every root is one that the
 * roster commits to. Refuses with WITHHELD, WRONG_PLACE, BAD_SIGNATURE, BAD_SEAL, BAD_ROOT, BAD_FORMAT.
 */
export function openEnvelope(envelope: unknown, reader: EnvelopeReader): Promise<Outcome<EnvelopePayload>> {
  return outcomeOf(() => unsealEnvelope(envelope, reader));
}

/** The same for use inside a check: throws. */
export async function unsealEnvelope(envelope: unknown, reader: EnvelopeReader): Promise<EnvelopePayload> {
  const { roster, to, agree, context = NO_CONTEXT } = reader;
  const parts = readEnvelope(envelope);
  if (!equalBytes(parts.to, recipientBytes(to))) fail("WRONG_PLACE", "envelope of another recipient");
  const info = await checkSender(roster, parts, context);
  const payload = readPayload(await hpkeOpen(agree, { info, aad: context }, parts));
  for (const key of payload.keys) await checkRoot(key, roster.commits);
  return payload;
}
