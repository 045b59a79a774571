import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { aChange } from "../replica/other-device.test-kit.ts";
import { CHANGE_LIMITS, cutChange } from "./cut-change.ts";
import { joinChange } from "./join-change.ts";

const bytes = (text: string): number => Buffer.byteLength(text);
const patchOf = (files: number, lines: number): string =>
  Array.from(
    { length: files },
    (_, i) =>
      `diff --git a/f${i} b/f${i}\n--- a/f${i}\n+++ b/f${i}\n@@ -0,0 +1,${lines} @@\n${"+line\n".repeat(lines)}`,
  ).join("");

async function roundTrip(patch: string, limits = { change: 1_000_000, slice: 400 }) {
  const { lines, ...record } = await cutChange(aChange(patch), limits);
  return { lines, record, joined: await joinChange({ ...record, streamId: "s" }, lines) };
}

test("a change comes out of its slices as it went in, whatever is in it", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "binary", maxLength: 3_000 }),
      fc.integer({ min: 40, max: 500 }),
      async (patch, slice) => {
        const { lines, record, joined } = await roundTrip(patch, { change: 1_000_000, slice });
        expect(joined).toMatchObject({ ok: true, diff: { patch, files: [{ path: "a.ts" }] } });
        for (const line of lines) expect(bytes(line)).toBeLessThanOrEqual(slice);
        const text = lines.map((line) => (JSON.parse(line) as { text: string }).text).join("");
        expect(record).toMatchObject({ chunks: lines.length, bytes: bytes(text), truncated: false });
        expect(record.sha256).toBe(createHash("sha256").update(text).digest("hex"));
      },
    ),
    { numRuns: 60 },
  );
});

test("a slice is one line of its log, below what a segment and a push hold, even when all of it is quotes", async () => {
  const { lines } = await roundTrip('"'.repeat(900_000), CHANGE_LIMITS);
  expect(lines.length).toBeGreaterThan(3);
  for (const line of lines) {
    expect(bytes(line)).toBeLessThanOrEqual(512 * 1024);
    expect(Object.keys(JSON.parse(line) as object)).toEqual(["text"]);
  }
});

test("above the limit the patch ends after the last file that fits; files and counts stay whole", async () => {
  const patch = patchOf(50, 100);
  const { record, joined } = await roundTrip(patch, { change: 20_000, slice: 4_000 });
  expect(record.truncated).toBe(true);
  expect(record.bytes).toBeLessThanOrEqual(20_000);
  if (!joined.ok) throw new Error(joined.reason);
  expect(joined.diff).toMatchObject({ truncated: true, files: [{ path: "a.ts" }], stat: " a.ts | 2 +-" });
  expect(patch.startsWith(joined.diff.patch)).toBe(true);
  expect(patch.slice(joined.diff.patch.length)).toMatch(/^diff --git a\/f\d+ /);
  expect(joined.diff.patch.length).toBeGreaterThan(10_000);
});

test("a first file that is too large leaves no patch at all, and a change that was cut before says so", async () => {
  const large = await roundTrip(patchOf(1, 10_000), { change: 5_000, slice: 4_000 });
  expect(large.joined).toMatchObject({ ok: true, diff: { patch: "", truncated: true } });
  const { record } = { record: await cutChange({ ...aChange("x"), truncated: true }) };
  expect(record.truncated).toBe(true);
});

test("slices that miss, that were swapped or altered make no change", async () => {
  const { lines, record } = await roundTrip(patchOf(3, 50));
  const join = (some: string[]) => joinChange({ ...record, streamId: "s" }, some);
  expect(await join(lines.slice(0, -1))).toMatchObject({ ok: false, reason: expect.stringContaining("have arrived") });
  expect(await join(lines.toReversed())).toMatchObject({
    ok: false,
    reason: expect.stringContaining("do not approve"),
  });
  const [first = "", ...rest] = lines;
  expect(await join([first.replace("line", "lime"), ...rest])).toMatchObject({ ok: false });
  expect(await join(["{}", ...rest])).toMatchObject({ ok: false });
  // What stands behind is of no concern: the record names the number.
  expect(await join([...lines, "{}"])).toMatchObject({ ok: true });
});

test("a change is that of the tree that its record names", async () => {
  const { lines, record } = await roundTrip(patchOf(1, 5));
  const joined = await joinChange({ ...record, streamId: "s", treeId: "c".repeat(40) }, lines);
  expect(joined).toMatchObject({ ok: false, reason: expect.stringContaining("another tree") });
});
