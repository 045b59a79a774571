import { u16 } from "../bytes/big-endian.ts";
import { joinBytes } from "../bytes/join-bytes.ts";
import { label } from "../bytes/label.ts";
import { utf8 } from "../bytes/text.ts";
import { uuidBytes } from "../bytes/uuid.ts";
import { type Outcome, outcomeOf } from "../outcome.ts";
import { sha256 } from "../primitives/hash.ts";
import { sign, verify } from "../primitives/signing.ts";
import { type RandomBytes, randomBytes, type WebKey } from "../primitives/web-crypto.ts";
import { activeDevice, type Roster } from "../roster/roster.ts";
import { fail } from "../vault-error.ts";

/** How long the cloud lets these live, by its own clock (V28). A challenge works once. */
export const ACCESS_TIMES = { challengeMs: 60_000, tokenMs: 3_600_000 } as const;

/** 32 random bytes: a challenge, or an access token. */
export const newSecret = (random: RandomBytes = randomBytes): Uint8Array => random(32);

/** What the cloud stores in the place of a token or a challenge. A secret of 256 bits needs nothing slower. */
export const hashSecret = (secret: Uint8Array): Promise<Uint8Array> => sha256(secret);

/** The origin that a client dialled, scheme://host[:port]. Throws BAD_FORMAT for anything but http and https. */
export function originOf(url: string): string {
  if (!URL.canParse(url)) fail("BAD_FORMAT", "origin");
  const { protocol, origin } = new URL(url);
  return protocol === "https:" || protocol === "http:" ? origin : fail("BAD_FORMAT", "origin");
}

export interface Challenge {
  /** As the client dialled it; the cloud takes its own, never one that a request names. */
  origin: string;
  vault: Uint8Array;
  device: string;
  /** 32 bytes, the cloud's. */
  challenge: Uint8Array;
}

function challengeMessage({ origin, vault, device, challenge }: Challenge): Uint8Array {
  if (challenge.length !== 32) fail("BAD_FORMAT", "challenge");
  const name = utf8(origin);
  return joinBytes(label("auth"), u16(name.length), name, vault, uuidBytes(device), challenge);
}

/** A device's answer to a challenge: good for this origin, vault, device and challenge only (V28). */
export const signChallenge = (challenge: Challenge, privateKey: WebKey): Promise<Uint8Array> =>
  sign(privateKey, challengeMessage(challenge));

/** Whether a member signed the challenge. Refuses with UNKNOWN_DEVICE (removed ones too) or BAD_SIGNATURE. */
export function verifyChallenge(
  roster: Roster,
  challenge: Omit<Challenge, "vault">,
  signature: Uint8Array,
): Promise<Outcome<{ device: string }>> {
  return outcomeOf(async () => {
    const device = activeDevice(roster, challenge.device) ?? fail("UNKNOWN_DEVICE", challenge.device);
    const message = challengeMessage({ ...challenge, vault: roster.vault });
    if (!(await verify(device.sign, signature, message))) fail("BAD_SIGNATURE", device.id);
    return { device: device.id };
  });
}
