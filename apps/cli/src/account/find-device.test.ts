import { expect, test } from "vitest";
import { deviceOf } from "../account-ports.test-kit.ts";
import { matchDevices, oneDevice } from "./find-device.ts";

const LAP = deviceOf({ id: "aaaa1111-1111-4111-8111-111111111111", name: "Laptop" });
const LAP_2 = deviceOf({ id: "aaaa2222-1111-4111-8111-111111111111", name: "Laptop 2" });
const GONE = deviceOf({
  id: "bbbb1111-1111-4111-8111-111111111111",
  name: "phone",
  revokedAt: "2026-01-01T00:00:00.000Z",
});
const ALL = [LAP, LAP_2, GONE];

test.each([
  ["Laptop", [LAP]],
  ["laptop", [LAP]],
  ["lap", [LAP, LAP_2]],
  ["laptop 2", [LAP_2]],
  ["aaaa1", [LAP]],
  ["AAAA1", [LAP]],
  ["aaaa", [LAP, LAP_2]],
  ["aaa", []],
  [LAP_2.id, [LAP_2]],
  ["phone", []],
  ["", []],
])("'%s' means the devices that it should", (ref, found) => {
  expect(matchDevices(ALL, ref)).toEqual(found);
});

test("none is exit 3, several are exit 2 and named", () => {
  expect(() => oneDevice(ALL, "phone")).toThrow(expect.objectContaining({ exitCode: 3, code: "not_found" }));
  const message = "'lap' means 2 devices: Laptop (aaaa1111), Laptop 2 (aaaa2222).";
  expect(() => oneDevice(ALL, "lap")).toThrow(expect.objectContaining({ exitCode: 2, code: "ambiguous", message }));
});

test("a device's name cannot act on a terminal", () => {
  const evil = [deviceOf({ name: "a\u001b]0;x\u0007" }), deviceOf({ id: LAP.id, name: "ab" })];
  expect(() => oneDevice(evil, "a")).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining("\u001b") }),
  );
});
