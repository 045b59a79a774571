import { u32 } from "../bytes/big-endian.ts";
import { joinBytes } from "../bytes/join-bytes.ts";
import { label } from "../bytes/label.ts";
import { uuidBytes } from "../bytes/uuid.ts";
import { bytes, object, readAs, uuid, whole } from "../parsing/strict-json.ts";
import { verify } from "../primitives/signing.ts";
import { activeDevice, type Roster, rolesAt } from "../roster/roster.ts";
import { fail } from "../vault-error.ts";

/** Root keys on their way to one device or to the recovery key, as they travel. */
export interface Envelope {
  v: 1;
  /** base64url of the recipient's 16 bytes; of zeros for the recovery key. */
  to: string;
  /** The roster statement it belongs to. */
  seq: number;
  by: string;
  enc: string;
  ct: string;
  sig: string;
}

/** An envelope whose shape was read; nothing of it is proved yet. */
export interface EnvelopeParts {
  to: Uint8Array;
  seq: number;
  by: string;
  enc: Uint8Array;
  ct: Uint8Array;
  sig: Uint8Array;
}

/** The recovery key as a recipient. */
export const RECOVERY = "recovery";
/** What an envelope outside pairing is bound to. */
export const NO_CONTEXT: Uint8Array = new Uint8Array(32);
/** 10,000 epochs' roots and the memory of 64 devices take less. */
const MOST_BYTES = 1_048_576;

const shape = object({
  v: (value: unknown) => (value === 1 ? 1 : fail("UNKNOWN_FORMAT", "envelope format")),
  to: bytes(16),
  seq: whole(0),
  by: uuid,
  enc: bytes(32),
  ct: bytes(null, MOST_BYTES),
  sig: bytes(64),
});

/** Reads an envelope's shape. Throws BAD_FORMAT or UNKNOWN_FORMAT. */
export const readEnvelope = (envelope: unknown): EnvelopeParts => readAs("BAD_FORMAT", () => shape(envelope));

/** The 16 bytes that name a recipient. */
export const recipientBytes = (to: string): Uint8Array => (to === RECOVERY ? new Uint8Array(16) : uuidBytes(to));

/** The agreement key of a recipient, from the verified roster and from nowhere else (V18). Throws UNKNOWN_DEVICE. */
export function recipientKey(roster: Roster, to: string): Uint8Array {
  if (to === RECOVERY) return roster.recovery.agree;
  return activeDevice(roster, to)?.agree ?? fail("UNKNOWN_DEVICE", to);
}

/** What an envelope's seal and signature begin with. Throws WITHHELD for a statement that is not here yet. */
export function envelopeInfo(roster: Roster, to: Uint8Array, seq: number): Uint8Array {
  const hash = roster.hashes[seq] ?? fail("WITHHELD", "roster");
  return joinBytes(label("envelope"), roster.vault, to, u32(seq), hash);
}

/** What the sender of an envelope signs. */
export function envelopeMessage(
  info: Uint8Array,
  context: Uint8Array,
  { enc, ct }: { enc: Uint8Array; ct: Uint8Array },
): Uint8Array {
  return joinBytes(label("envelope-sig"), info, context, enc, ct);
}

/** Throws unless an admin of that moment signed it (V18): WITHHELD, BAD_SIGNATURE. Returns its info. */
export async function checkSender(roster: Roster, parts: EnvelopeParts, context: Uint8Array): Promise<Uint8Array> {
  const info = envelopeInfo(roster, parts.to, parts.seq);
  const sender = roster.devices.get(parts.by);
  const isAdmin = rolesAt(roster, parts.by, parts.seq).includes("admin");
  const message = envelopeMessage(info, context, parts);
  if (sender === undefined || !isAdmin || !(await verify(sender.sign, parts.sig, message)))
    fail("BAD_SIGNATURE", `envelope of statement ${parts.seq}`);
  return info;
}
