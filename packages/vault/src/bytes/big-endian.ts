import { fail } from "../vault-error.ts";

function write(value: number, size: number): Uint8Array {
  if (!Number.isSafeInteger(value) || value < 0 || value >= 256 ** size) fail("BAD_FORMAT", `u${size * 8} ${value}`);
  const bytes = new Uint8Array(size);
  let rest = value;
  for (let at = size - 1; at >= 0; at--) {
    bytes[at] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return bytes;
}

export const u16 = (value: number): Uint8Array => write(value, 2);
export const u32 = (value: number): Uint8Array => write(value, 4);
/** At most 2^53−1, as every number of ours. */
export const u64 = (value: number): Uint8Array => write(value, 8);

/** The number in `size` bytes from `at`. Throws BAD_FORMAT above 2^53−1 and where the bytes end. */
export function readNumber(bytes: Uint8Array, at: number, size: number): number {
  if (at + size > bytes.length) fail("BAD_FORMAT", "the bytes end within a number");
  let value = 0;
  for (let i = at; i < at + size; i++) value = value * 256 + (bytes[i] ?? 0);
  if (!Number.isSafeInteger(value)) fail("BAD_FORMAT", "a number above 2^53−1");
  return value;
}
