/** How large things may be (§5). */
export const SEAL_LIMITS = {
  /** Of one segment. */
  events: 1_000,
  /** Of a segment's body, after compression. */
  segmentBody: 1_048_576,
  /** Of a record's body, after compression. */
  recordBody: 262_144,
  /** Of any body, after inflating. */
  inflated: 8_388_608,
} as const;

/** The length that a plaintext of `length` bytes is padded to: what is short looks alike, and at most 12 % are added. */
export function paddedLength(length: number): number {
  if (length <= 256) return 256;
  const exponent = Math.floor(Math.log2(length));
  const step = 2 ** (exponent - (Math.floor(Math.log2(exponent)) + 1));
  return Math.ceil(length / step) * step;
}
