import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { completeness } from "../assess/completeness.ts";
import { diffPackets } from "../assess/diff-packets.ts";
import { summarize } from "../assess/summarize.ts";
import { nested, small } from "../packet/example.test-kit.ts";
import { resume } from "../render/resume.ts";
import { validateArtifact } from "./validate-artifact.ts";
import { validatePacket } from "./validate-packet.ts";

/** All that promise never to throw. */
function survive(value: unknown): void {
  const { valid, errors } = validatePacket(value);
  expect(valid).toBe(errors.length === 0);
  expect(typeof validateArtifact(value).valid).toBe("boolean");
  expect(completeness(value).total).toBe(7);
  expect(resume(value)).toMatch(/^# Resuming: /);
  expect(summarize(value)).toContain(" done, ");
  expect(diffPackets(value, value).version_delta).toBe(0);
}

describe("HO-6 nothing that is given makes them throw", () => {
  test("10,000 random values, as a whole and in every field", () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withSparseArray: true,
      withNullPrototype: true,
      withBoxedValues: true,
      withObjectString: true,
      maxDepth: 4,
    });
    const field = fc.constantFrom(
      "id",
      "version",
      "goal",
      "context",
      "progress",
      "state",
      "artifacts",
      "provenance",
      "x",
    );
    const packet = fc
      .tuple(fc.dictionary(field, anything), fc.boolean())
      .map(([fields, based]) => (based ? small(fields) : fields));
    let runs = 0;
    fc.assert(
      fc.property(fc.oneof(anything, packet), (value) => {
        runs += 1;
        const { valid, errors } = validatePacket(value);
        expect(valid).toBe(errors.length === 0);
        validateArtifact(value);
        if (runs % 20 === 0) survive(value);
      }),
      { numRuns: 10_000 },
    );
    expect(runs).toBe(10_000);
  });

  test("no stack overflow: 100,000 levels of built values in every place", () => {
    const deep = nested(100_000);
    survive(deep);
    for (const field of [
      "id",
      "version",
      "goal",
      "context",
      "progress",
      "state",
      "next_steps",
      "artifacts",
      "provenance",
      "x",
    ])
      survive(small({ [field]: deep }));
    survive(small({ state: { deep } }));
    expect(validatePacket(small({ state: { deep } })).errors.map(({ code }) => code)).toEqual(["NOT_JSON"]);
    expect(validatePacket(small({ state: { deep: nested(254) } })).valid).toBe(true);
    expect(validatePacket(small({ state: { deep: nested(255) } })).errors).toMatchObject([{ code: "NOT_JSON" }]);
  });

  test("cycles, long and short, alone and by the thousand", () => {
    const self: Record<string, unknown> = small();
    self["state"] = { self, again: self, list: [self, self] };
    survive(self);
    expect(validatePacket(self).errors.every(({ code }) => code === "NOT_JSON")).toBe(true);
    const nodes = Array.from({ length: 50 }, (): Record<string, unknown> => ({}));
    for (const node of nodes) for (const [at, other] of nodes.entries()) node[`to${at}`] = other;
    survive(small({ state: nodes[0] }));
  });

  test("parts that are shared count as often as they are held, without being walked as often", () => {
    let shared: object = { text: "x".repeat(100) };
    for (let level = 0; level < 200; level++) shared = { a: shared, b: shared };
    survive(small({ state: shared }));
    expect(validatePacket(small({ state: shared })).errors).toMatchObject([{ code: "NOT_JSON" }]);
    const twice = { note: "the same object in two places is fine" };
    expect(validatePacket(small({ state: { a: twice, b: twice } })).valid).toBe(true);
  });

  test("proxies: revoked, throwing in every trap, endless", () => {
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    const refuse = (): never => {
      throw new Error("no");
    };
    const traps = {
      get: refuse,
      has: refuse,
      ownKeys: refuse,
      getPrototypeOf: refuse,
      getOwnPropertyDescriptor: refuse,
    };
    const endless = (): object =>
      new Proxy(
        { a: 1, b: 1 },
        { get: (target, key) => (typeof key === "string" && key in target ? endless() : undefined) },
      );
    for (const hostile of [
      revoked.proxy,
      new Proxy({}, traps),
      new Proxy([], traps),
      new Proxy(() => 1, traps),
      endless(),
    ]) {
      survive(hostile);
      survive(small({ state: hostile }));
      survive(small({ progress: hostile, artifacts: [hostile], provenance: hostile }));
    }
  });

  /** As long as an array can be, with nothing in it. */
  const endless = (): unknown[] => Object.assign([], { length: 4_000_000_000 });

  test("getters that throw, arrays as long as arrays can be", () => {
    survive(Object.defineProperty({}, "goal", { enumerable: true, get: () => Symbol("x") }));
    survive(
      Object.defineProperty(small(), "state", {
        enumerable: true,
        get: () => {
          throw new Error("no");
        },
      }),
    );
    survive(small({ progress: Array.from({ length: 3 }), state: { list: endless() } }));
    survive(small({ next_steps: endless() }));
  });
});
