/** A UUIDv7: ids of one device sort by the time they were made. `now` in milliseconds. */
export function newId(now: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  new DataView(bytes.buffer).setBigUint64(
    0,
    (BigInt(now) << 16n) | 0x7000n | BigInt((((bytes[6] ?? 0) & 0x0f) << 8) | (bytes[7] ?? 0)),
  );
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
