/** 32 symbols a person can read and say: no I, L, O or U. */
export const SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** The first `count` groups of five bits, high first, as symbols. */
export function toSymbols(bytes: Uint8Array, count: number): string {
  let symbols = "";
  for (let at = 0; at < count; at++) {
    let group = 0;
    for (let bit = at * 5; bit < at * 5 + 5; bit++)
      group = group * 2 + (((bytes[Math.floor(bit / 8)] ?? 0) >> (7 - (bit % 8))) & 1);
    symbols += SYMBOLS[group] ?? "";
  }
  return symbols;
}

/** What a person typed, as symbols: upper case, no spaces or hyphens, I and L as 1, O as 0. */
export function normalSymbols(typed: string): string {
  return typed.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll(/[IL]/g, "1").replaceAll("O", "0");
}
