import { expect, test } from "vitest";
import { openRecordNumbers } from "./record-numbers.ts";

function numbers() {
  let last = 0;
  return openRecordNumbers(async (count) => {
    last += count;
    return last - count + 1;
  });
}

test("V22 numbers only grow and none comes twice, however many ask at once", async () => {
  const from = numbers();
  const given = await Promise.all(
    Array.from({ length: 100 }, (_, at) => (at % 9 === 0 ? from.ofDevice() : from.next())),
  );
  expect(new Set(given).size).toBe(100);
  expect([...given].sort((a, b) => a - b)).toEqual(given);
});

test("V24 a device record that is sealed again stays below what was sealed since", async () => {
  const from = numbers();
  const device = await from.ofDevice();
  const since = [await from.next(), await from.next()];
  const again = await from.ofDeviceAgain();
  expect(again).toBeGreaterThan(device);
  expect(again).toBeLessThan(Math.min(...since));
  expect(await from.next()).toBeGreaterThan(Math.max(...since));
});

test("V24 also when an earlier process left it: it gets its number before anything else does", async () => {
  const from = numbers();
  const other = await from.next();
  expect(await from.ofDeviceAgain()).toBeLessThan(other);
});

test("V25 after the counter was raised from elsewhere nothing of before is used", async () => {
  let last = 0;
  const from = openRecordNumbers(async (count) => {
    last += count;
    return last - count + 1;
  });
  await from.next();
  last = 1_000;
  from.drop();
  expect(await from.next()).toBeGreaterThan(1_000);
  expect(await from.ofDeviceAgain()).toBeGreaterThan(1_000);
});

test("a store that cannot write gives no number, and is asked again", async () => {
  let fails = true;
  const from = openRecordNumbers(async () => {
    if (fails) throw new Error("full");
    return 1;
  });
  await expect(from.next()).rejects.toThrow("full");
  fails = false;
  expect(await from.next()).toBeGreaterThan(0);
});
