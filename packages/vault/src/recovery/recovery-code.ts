import { label } from "../bytes/label.ts";
import { utf8 } from "../bytes/text.ts";
import type { DeviceKeys } from "../keys/device-keys.ts";
import { type Outcome, outcomeOf } from "../outcome.ts";
import { hkdf, sha256 } from "../primitives/hash.ts";
import { keyPairFromSeed } from "../primitives/key-pair.ts";
import { type RandomBytes, randomBytes } from "../primitives/web-crypto.ts";
import { fail } from "../vault-error.ts";
import { normalSymbols, SYMBOLS, toSymbols } from "./symbols.ts";

const SECRET = 26;
const CHECK = 4;

const checkOf = async (secret: string): Promise<string> =>
  toSymbols(await sha256(label("recovery-check"), utf8(secret)), CHECK);

/** A fresh recovery code, 130 random bits and a check, in six groups of five. Shown once, never stored or logged. */
export async function newRecoveryCode(random: RandomBytes = randomBytes): Promise<string> {
  const secret = Array.from(random(SECRET), (byte) => SYMBOLS[byte & 31]).join("");
  return (secret + (await checkOf(secret))).replaceAll(/(.{5})(?=.)/g, "$1-");
}

/** The 26 secret symbols of a code as typed, or BAD_CODE: decided here, nothing is sent anywhere (V34). */
export function readRecoveryCode(typed: string): Promise<Outcome<string>> {
  return outcomeOf(async () => {
    const symbols = normalSymbols(typed);
    const secret = symbols.slice(0, SECRET);
    const isWhole = symbols.length === SECRET + CHECK && [...symbols].every((symbol) => SYMBOLS.includes(symbol));
    if (!isWhole || (await checkOf(secret)) !== symbols.slice(SECRET)) fail("BAD_CODE", "recovery code");
    return secret;
  });
}

/** True when a person typed the last group of the code they were shown: they have written it down. */
export const confirmsCode = (code: string, typed: string): boolean =>
  normalSymbols(typed) === normalSymbols(code).slice(-5);

/** The key pairs of a code's secret symbols. No slow hash: 130 uniform bits need none. */
export async function recoveryKeys(secret: string): Promise<DeviceKeys> {
  const seed = (name: string): Promise<Uint8Array> => hkdf(utf8(secret), label("recovery"), utf8(name));
  return {
    sign: await keyPairFromSeed("Ed25519", await seed("sign")),
    agree: await keyPairFromSeed("X25519", await seed("agree")),
  };
}
