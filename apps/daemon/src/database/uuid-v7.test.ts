import { expect, test } from "vitest";
import { makeUuidV7 } from "./uuid-v7.ts";

test("ids rise in the order they were made, also within a millisecond and when the clock goes back (F10)", () => {
  let now = 1_800_000_000_000;
  const next = makeUuidV7(() => now);
  const ids = Array.from({ length: 10_000 }, (_, n) => {
    if (n === 5_000) now -= 3_600_000;
    return next();
  });
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  // Drawn anew for each, whatever the counter says.
  expect(new Set(ids.map((id) => id.slice(-12))).size).toBe(ids.length);
  expect(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toBe(
    true,
  );
});
