import { originOf } from "../auth/challenge.ts";
import { fromBase64url, toBase64url } from "../bytes/base64url.ts";
import { type Outcome, outcomeOf } from "../outcome.ts";
import { fail } from "../vault-error.ts";

/** What a pairing QR holds. The secret goes to the other device through the camera and never to the cloud (V31). */
export interface PairingQr {
  pairingId: Uint8Array;
  commit: Uint8Array;
  /** 16 random bytes. They open nothing by themselves and die with the pairing. */
  secret: Uint8Array;
}

/** The text of a QR. What follows # never leaves a browser by itself. */
export function writeQr(origin: string, { pairingId, commit, secret }: PairingQr): string {
  return `${originOf(origin)}/pair#1.${[pairingId, commit, secret].map(toBase64url).join(".")}`;
}

/** Reads a QR text, of the origin this device is signed in to and of no other. Refuses with BAD_FORMAT, WRONG_PLACE. */
export function readQr(scanned: string, origin: string): Promise<Outcome<PairingQr>> {
  return outcomeOf(() => {
    const [place, fragment, ...more] = scanned.split("#");
    if (place === undefined || fragment === undefined || more.length > 0) fail("BAD_FORMAT", "QR");
    if (place !== `${originOf(origin)}/pair`) fail("WRONG_PLACE", "a QR of another place");
    const [format, ...parts] = fragment.split(".");
    if (format !== "1") fail("UNKNOWN_FORMAT", "QR");
    const [pairingId, commit, secret, ...rest] = parts.map(fromBase64url);
    if (pairingId?.length !== 16 || commit?.length !== 32 || secret?.length !== 16 || rest.length > 0)
      fail("BAD_FORMAT", "QR");
    return { pairingId, commit, secret };
  });
}
