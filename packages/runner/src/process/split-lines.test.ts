import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TailItem } from "./process-types.ts";
import { LineSplitter } from "./split-lines.ts";

function splitAll(pieces: readonly Buffer[], cap?: number): TailItem[] {
  const splitter = new LineSplitter(0, cap);
  return [...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.end()];
}

const bytesOf = (item: TailItem): Buffer =>
  "bytes" in item && Buffer.isBuffer(item.bytes) ? item.bytes : Buffer.alloc(0);

describe("LineSplitter", () => {
  test("F30: any bytes in any pieces come out whole, in order and with the offset after each line", () => {
    const byte = fc.oneof(fc.constant(0x0a), fc.constant(0x0d), fc.integer({ min: 0, max: 255 }));
    const piece = fc.array(byte, { maxLength: 30 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const whole = Buffer.concat(pieces);
        const items = splitAll(pieces);
        const glued = items.flatMap((item) => [bytesOf(item), Buffer.from(item.kind === "line" ? "\n" : "")]);
        expect(Buffer.concat(glued).equals(whole)).toBe(true);
        let at = 0;
        for (const item of items) {
          expect(
            whole
              .subarray(at, item.endOffset)
              .equals(Buffer.concat([bytesOf(item), Buffer.from(item.kind === "line" ? "\n" : "")])),
          ).toBe(true);
          at = item.endOffset;
        }
        expect(items.filter(({ kind }) => kind === "line")).toHaveLength(whole.filter((one) => one === 0x0a).length);
      }),
    );
  });

  test("the chunk may be used again: what came out does not change", () => {
    const chunk = Buffer.from("one\ntwo");
    const splitter = new LineSplitter(0);
    const items = splitter.push(chunk);
    chunk.fill(0x78);
    items.push(...splitter.push(Buffer.from("!\n")));
    expect(items.map((item) => bytesOf(item).toString())).toEqual(["one", "two!"]);
  });

  test("C015: a line over the cap is told with its size and the next one is whole, however it is cut", () => {
    const text = Buffer.from(`ok\n${"x".repeat(11)}\n${"y".repeat(10)}\nz`);
    for (const size of [1, 3, 7, text.length]) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
        text.subarray(i * size, (i + 1) * size),
      );
      expect(splitAll(pieces, 10)).toEqual([
        { kind: "line", bytes: Buffer.from("ok"), endOffset: 3 },
        { kind: "oversize", bytes: 11, endOffset: 15 },
        { kind: "line", bytes: Buffer.from("y".repeat(10)), endOffset: 26 },
        { kind: "rest", bytes: Buffer.from("z"), endOffset: 27 },
      ]);
    }
  });

  test("an unfinished line over the cap at the end is told with its size", () => {
    expect(splitAll([Buffer.from("abc"), Buffer.from("defgh")], 6)).toEqual([
      { kind: "oversize", bytes: 8, endOffset: 8 },
    ]);
  });

  test("the position is the byte after all that was pushed, the start offset included", () => {
    const splitter = new LineSplitter(100);
    expect(splitter.push(Buffer.from("a\nbc"))[0]?.endOffset).toBe(102);
    expect(splitter.position).toBe(104);
    splitter.restart(7);
    expect(splitter.position).toBe(7);
    expect(splitter.end()).toEqual([]);
  });
});
