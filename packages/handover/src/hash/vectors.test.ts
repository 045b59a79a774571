import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pack } from "../construct/pack.ts";
import { revise } from "../construct/revise.ts";
import { example, small } from "../packet/example.test-kit.ts";
import { validatePacket } from "../validate/validate-packet.ts";
import { canonicalize } from "./canonicalize.ts";
import { computeId } from "./compute-id.ts";

const VECTORS: [name: string, packet: () => unknown, id: string, bytes: number][] = [
  ["V1 the example", example, "19483d7ee3c50e5f4ee2507643f205e9c6f28bc6f972e04bece928519b4a3374", 701],
  ["V2 goal and provenance", small, "92eb556994e26e42fb4c9d1b5d7df94a119adae29bd6818d07c29fde94ac19ee", 80],
  [
    "V3 pack with all defaults",
    () => pack({ goal: "g", agent: "a", created: "2026-07-11T12:00:00Z" }),
    "6b4ac39b7db2278cc226081fc9f39b25941b1fdf24f90704b7439bf11048e5e8",
    181,
  ],
  [
    "V4 characters of every kind",
    () => small({ goal: 'a\u00f1b 日本 🎉 \u2028 "q" \\ /' }),
    "3a0b3257543506754f2d3449a425fe7c3f5a97d7f201e561951cca5688dafe23",
    110,
  ],
  [
    "V5 numbers",
    () => small({ state: { a: 1.0, b: 0.1, c: 1e21, d: -0, e: 1e-7, f: 9007199254740991 } }),
    "3071b391890c664cde2b11a8d101753902d0323e37f48773c04014413e978793",
    150,
  ],
  [
    "V6 keys that look like numbers",
    () => small({ state: { "10": 1, "9": 2, a: { z: 1, A: 2, _: 3 } } }),
    "926b6573e0173c0b54744e81a57d7ceb50a49f2e0120e2c6dae2f456efeeef19",
    127,
  ],
  [
    "V7 an own __proto__",
    () => small({ state: JSON.parse('{"__proto__":{"x":1},"k":1}') as object }),
    "76441e4f13d692ca147119e1c3a64a458c1dff1af6f23c512d872e388c67548d",
    116,
  ],
  [
    "V8 a nested id",
    () => small({ state: { id: "keep" } }),
    "a89384e3eb05dd70492fef253c33acfd905cae96c037603f18db0101bb2cb3eb",
    102,
  ],
  [
    "V9 keys by UTF-16 code units",
    () => small({ state: { "\u{10000}": 1, "\uffff": 2 } }),
    "00bc7d2a5f44727ce89dd7f1fa6b8cb3665bc4fd2efb17d64fbdc29a79b4cffd",
    107,
  ],
  [
    "V10 control characters",
    () => small({ goal: "tab\tnl\nbs\b\u0001\u007f" }),
    "244bfd77c06b34c621a875b6173872cfdef7179b2324e3994c1983958e620478",
    99,
  ],
];

const PATCH = {
  created: "2026-07-12T09:00:00Z",
  progress: ["handled callback"],
  next_steps: ["ship"],
  state: { cursor: "src/auth/callback.ts:10" },
  agent: "codex",
};

describe("HO-10 the vectors", () => {
  test.each(VECTORS)("%s", (...vector) => {
    const [, packet, id, bytes] = vector;
    expect(computeId(packet())).toBe(id);
    expect(Buffer.byteLength(canonicalize(packet()))).toBe(bytes);
    expect(validatePacket({ ...(packet() as object), id })).toEqual({ valid: true, errors: [] });
  });

  test("the revise vector", () => {
    const revised = revise(example(), PATCH);
    expect(revised.id).toBe("27320d1e83f3637bf4c0c54a32fef9aba42def56120554116fdd2ef8d89998f7");
    expect(revised.version).toBe(2);
  });
});

/** The value with the keys of every object in another order, picked by `next` (0 up to 1). */
function shuffled(value: unknown, next: () => number): unknown {
  if (Array.isArray(value)) return value.map((member) => shuffled(member, next));
  if (typeof value !== "object" || value === null) return value;
  const keys = Object.entries(value).map(([key, member]) => ({ key, member, rank: next() }));
  keys.sort((a, b) => a.rank - b.rank);
  return Object.fromEntries(keys.map(({ key, member }) => [key, shuffled(member, next)]));
}

test("HO-10 1,000 orders of keys and of white space have the same id", () => {
  const id = example().id;
  const ranks = fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true }));
  fc.assert(
    fc.property(ranks, fc.integer({ min: 0, max: 8 }), (stream, indent) => {
      const other = shuffled(example(), () => stream.next().value as number);
      const text = JSON.stringify(other, null, indent);
      expect(computeId(JSON.parse(text))).toBe(id);
      expect(validatePacket(JSON.parse(text)).valid).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

/** Every place of the example where a string stands, with what puts another string there. */
function places(
  value: unknown,
  put: (other: unknown) => unknown,
): { text: string; replace: (text: string) => unknown }[] {
  if (typeof value === "string") return [{ text: value, replace: put }];
  if (Array.isArray(value))
    return value.flatMap((member, at) =>
      places(member, (other) => put(value.map((old, index) => (index === at ? other : old)))),
    );
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => places(member, (other) => put({ ...value, [key]: other })));
}

test("HO-5 every change of one character of the example is found", () => {
  const { id, ...rest } = example();
  let changes = 0;
  for (const { text, replace } of places(rest, (other) => other)) {
    for (let at = 0; at < text.length; at++) {
      const other = text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1);
      const { valid, errors } = validatePacket({ ...(replace(other) as object), id });
      expect(valid).toBe(false);
      expect(errors.map(({ code }) => code)).toContain("ID_MISMATCH");
      changes += 1;
    }
  }
  expect(changes).toBeGreaterThan(400);
  expect(validatePacket({ ...rest, version: 2, id }).errors.map(({ code }) => code)).toEqual(["ID_MISMATCH"]);
});
