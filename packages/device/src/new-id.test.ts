import { expect, test } from "vitest";
import { newId } from "./new-id.ts";

test("ids are UUIDs of version 7 that sort by their time", () => {
  const ids = [1, 1_700_000_000_000, 2 ** 47].map(newId);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect([...ids].sort()).toEqual(ids);
  expect(Number.parseInt((ids[1] ?? "").replaceAll("-", "").slice(0, 12), 16)).toBe(1_700_000_000_000);
  expect(new Set(Array.from({ length: 1_000 }, () => newId(1))).size).toBe(1_000);
});
