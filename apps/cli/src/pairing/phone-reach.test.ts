import { expect, test } from "vitest";
import { phoneReach } from "./phone-reach.ts";

test.each([
  ["https://hands.example", "ok"],
  ["https://192.168.1.20:8787", "ok"],
  ["http://hands.example", "not_encrypted"],
  ["http://192.168.1.20:8787", "not_encrypted"],
  // A name that only begins like an address of this machine.
  ["http://127.0.0.1.example.org", "not_encrypted"],
  ["http://localhost:8787", "this_machine"],
  ["http://127.0.0.1:8787", "this_machine"],
  ["https://127.0.0.1:8787", "this_machine"],
  ["http://[::1]:8787", "this_machine"],
])("%s is %s", (origin, reach) => {
  expect(phoneReach(origin)).toBe(reach);
});
