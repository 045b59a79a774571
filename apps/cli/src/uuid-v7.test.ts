import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { uuidV7 } from "./uuid-v7.ts";

test("is the example of RFC 9562 for its time and randomness", () => {
  const random = Uint8Array.from([0x0c, 0xc3, 0x18, 0xc4, 0xdc, 0x0c, 0x0c, 0x07, 0x39, 0x8f]);
  expect(uuidV7(0x017f22e279b0, random)).toBe("017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
});

test("sorts by time", () => {
  const ids = [1, 2, 1_000_000, Date.now(), Date.now() + 1].map((ms) => uuidV7(ms, randomBytes(10)));
  expect([...ids].sort()).toEqual(ids);
});

test("refuses too little randomness", () => {
  expect(() => uuidV7(1, randomBytes(9))).toThrow(RangeError);
});
