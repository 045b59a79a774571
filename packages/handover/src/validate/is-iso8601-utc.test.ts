import { expect, test } from "vitest";
import { isIso8601Utc } from "./is-iso8601-utc.ts";
import { isSha256Hex } from "./is-sha256-hex.ts";

test.each([
  ["2026-07-11T12:00:00Z", true],
  ["2026-07-11T12:00:00.1Z", true],
  ["2026-07-11T12:00:00.123456789012Z", true],
  ["2024-02-29T00:00:00Z", true],
  ["2000-02-29T23:59:59Z", true],
  ["2026-02-29T00:00:00Z", false],
  ["1900-02-29T00:00:00Z", false],
  ["2026-04-31T00:00:00Z", false],
  ["2026-13-01T00:00:00Z", false],
  ["2026-00-01T00:00:00Z", false],
  ["2026-01-00T00:00:00Z", false],
  ["2026-01-01T24:00:00Z", false],
  ["2026-01-01T00:60:00Z", false],
  ["2026-01-01T00:00:60Z", false],
  ["2026-01-01T00:00:00+00:00", false],
  ["2026-01-01T00:00:00", false],
  ["2026-01-01t00:00:00z", false],
  ["2026-01-01 00:00:00Z", false],
  ["2026-01-01T00:00:00Z\n", false],
  ["2026-01-01", false],
  [1, false],
  [null, false],
])("HO-4 %j: %s", (value, expected) => expect(isIso8601Utc(value)).toBe(expected));

test.each([
  ["0123456789abcdef".repeat(4), true],
  ["A".repeat(64), false],
  ["a".repeat(63), false],
  [`${"a".repeat(64)}\n`, false],
  ["g".repeat(64), false],
  [null, false],
])("HO-7 %j is a hash: %s", (value, expected) => expect(isSha256Hex(value)).toBe(expected));
