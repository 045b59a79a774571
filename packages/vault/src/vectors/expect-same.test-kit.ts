import { toHex } from "../bytes/text.ts";

/** A vector as it is checked in Node and in a browser: throws where something differs. */
export interface VectorCheck {
  name: string;
  run(): Promise<void>;
}

const show = (value: unknown): string => (value instanceof Uint8Array ? toHex(value) : JSON.stringify(value));

/** Throws when two values, or the hex of two byte strings, differ. */
export function same(actual: unknown, expected: unknown, what = "value"): void {
  if (show(actual) !== show(expected)) throw new Error(`${what} is ${show(actual)} and should be ${show(expected)}`);
}
