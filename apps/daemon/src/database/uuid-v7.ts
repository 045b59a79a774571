import { randomFillSync } from "node:crypto";

/** Random bytes of one id, and how many ids' are drawn at once: a drawing for each costs more than the rest of the id. */
const RANDOM = 8;
const DRAWN = 512;

/** A maker of UUIDv7: ids in the order they were made, even when the clock (ms since 1970) stands or goes back. */
export function makeUuidV7(now: () => number = Date.now): () => string {
  let last = 0;
  let count = 0;
  const random = Buffer.alloc(RANDOM * DRAWN);
  let at = random.length;
  return () => {
    const time = now();
    if (time > last) {
      last = time;
      count = 0;
    } else {
      count += 1;
      // 4,096 ids within one millisecond: borrow the next one.
      if (count > 0xfff) {
        last += 1;
        count = 0;
      }
    }
    if (at === random.length) {
      randomFillSync(random);
      at = 0;
    }
    const bytes = Buffer.alloc(16);
    random.copy(bytes, 8, at, at + RANDOM);
    at += RANDOM;
    bytes.writeUIntBE(last, 0, 6);
    bytes.writeUInt16BE(0x7000 | count, 6);
    bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
    const hex = bytes.toString("hex");
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
  };
}
