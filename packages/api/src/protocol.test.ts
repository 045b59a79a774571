import { expect, test } from "vitest";
import { hashWire, wireSchemas } from "./hash-wire.test-kit.ts";
import { WIRE_HASH } from "./protocol.ts";

test("the wire schemas are the pinned ones", () => {
  const hash = hashWire();
  expect(
    hash,
    `A schema that crosses the wire has changed. Is every change one that an older client and an older daemon can live
with (a new optional input, a new field of an answer, a new procedure)? Then set WIRE_HASH in protocol.ts to
  ${hash}
Otherwise raise PROTOCOL_VERSION as well, so that the two sides say so instead of misreading each other.`,
  ).toBe(WIRE_HASH);
});

test("every procedure says what it gives, so that nothing is left out of the hash", () => {
  const silent = Object.entries(wireSchemas()).filter(([, each]) => (each as { gives: unknown }).gives === null);
  expect(silent.map(([name]) => name)).toEqual(["health.shutdown", "pair.cancel"]);
});
