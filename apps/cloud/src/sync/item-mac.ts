import { createHash } from "node:crypto";

const SIGNATURE_BYTES = 64;

/** The short name of a sealed item: first 16 bytes of SHA-256 over all of it but its signature (V14). */
export function itemMac(item: Buffer): Buffer {
  return createHash("sha256")
    .update(item.subarray(0, Math.max(0, item.length - SIGNATURE_BYTES)))
    .digest()
    .subarray(0, 16);
}
