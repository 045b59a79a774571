import { expect, test } from "vitest";
import { createIsoClock } from "./iso-clock.ts";

test("the time of each call, also after the system's clock was put back", () => {
  const times = [0, 0, 1, 1, 0, 1_800_000_000_000];
  const clock = createIsoClock(() => times.shift() ?? 0);
  expect([clock(), clock(), clock(), clock(), clock(), clock()]).toEqual([
    "1970-01-01T00:00:00.000Z",
    "1970-01-01T00:00:00.000Z",
    "1970-01-01T00:00:00.001Z",
    "1970-01-01T00:00:00.001Z",
    "1970-01-01T00:00:00.000Z",
    "2027-01-15T08:00:00.000Z",
  ]);
});
