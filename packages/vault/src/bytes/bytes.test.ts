import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { outcomeOf } from "../outcome.ts";
import { codeOf } from "../vault-world.test-kit.ts";
import { fromBase64url, toBase64url } from "./base64url.ts";
import { readNumber, u16, u32, u64 } from "./big-endian.ts";
import { compareBytes, equalBytes } from "./join-bytes.ts";
import { LABELS, label } from "./label.ts";
import { fromHex, fromUtf8, toHex } from "./text.ts";
import { uuidBytes, uuidText } from "./uuid.ts";

const refuses = async (work: () => unknown): Promise<string> => codeOf(await outcomeOf(work));

describe("bytes", () => {
  test("V2 every purpose has its own label, none a beginning of another", () => {
    expect(LABELS).toHaveLength(26);
    for (const a of LABELS) {
      expect(toHex(label(a))).toMatch(/00$/);
      for (const b of LABELS) if (a !== b) expect(equalBytes(label(a), label(b).slice(0, label(a).length))).toBe(false);
    }
  });

  test("base64url has one spelling", async () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect(toHex(fromBase64url(toBase64url(bytes)))).toBe(toHex(bytes));
      }),
    );
    for (const text of ["QQ==", "QR", "Q Q", "+/", "A", "QQ\n"])
      expect(await refuses(() => fromBase64url(text))).toBe("BAD_FORMAT");
  });

  test("numbers are big-endian and end at 2^53−1", async () => {
    expect(toHex(u16(0x0102))).toBe("0102");
    expect(toHex(u32(0xfffefdfc))).toBe("fffefdfc");
    expect(readNumber(u64(Number.MAX_SAFE_INTEGER), 0, 8)).toBe(Number.MAX_SAFE_INTEGER);
    const tooLarge = [() => u16(65_536), () => u32(2 ** 32), () => u32(-1), () => u64(2 ** 53), () => u32(0.5)];
    for (const write of tooLarge) expect(await refuses(write)).toBe("BAD_FORMAT");
    expect(await refuses(() => readNumber(fromHex("0020000000000000"), 0, 8))).toBe("BAD_FORMAT");
    expect(await refuses(() => readNumber(fromHex("00"), 0, 2))).toBe("BAD_FORMAT");
  });

  test("ids and texts have one spelling", async () => {
    const id = "f65ffdc6-213f-7eae-8afd-6bcc9719fba9";
    expect(uuidText(uuidBytes(id))).toBe(id);
    for (const text of [id.toUpperCase(), id.replaceAll("-", ""), `{${id}}`, `${id} `, ""])
      expect(await refuses(() => uuidBytes(text))).toBe("BAD_FORMAT");
    expect(await refuses(() => fromUtf8(fromHex("c3")))).toBe("BAD_FORMAT");
    expect(fromUtf8(fromHex("efbbbf7b"))).toHaveLength(2);
  });

  test("the order of byte strings is total", () => {
    expect([fromHex("02"), fromHex("0101"), fromHex("01")].sort(compareBytes).map(toHex)).toEqual(["01", "0101", "02"]);
  });
});
