import { type RandomBytes, randomBytes } from "../primitives/web-crypto.ts";
import { normalSymbols, SYMBOLS } from "../recovery/symbols.ts";

/** How long a code, and a pairing, lives. */
export const PAIRING_MS = 600_000;

/** The code by which a person names a pairing to the other device: 40 random bits, `ABCD-EFGH`. The cloud's to make. */
export function newUserCode(random: RandomBytes = randomBytes): string {
  const symbols = Array.from(random(8), (byte) => SYMBOLS[byte & 31]).join("");
  return `${symbols.slice(0, 4)}-${symbols.slice(4)}`;
}

/** The code as typed in its one spelling, or null for what cannot be one. */
export function readUserCode(typed: string): string | null {
  const symbols = normalSymbols(typed);
  if (symbols.length !== 8 || [...symbols].some((symbol) => !SYMBOLS.includes(symbol))) return null;
  return `${symbols.slice(0, 4)}-${symbols.slice(4)}`;
}
