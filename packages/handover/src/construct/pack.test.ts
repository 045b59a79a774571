import { expect, test } from "vitest";
import { example } from "../packet/example.test-kit.ts";
import { validatePacket } from "../validate/validate-packet.ts";
import { type PackInput, pack } from "./pack.ts";

const input = (more: object = {}): PackInput => ({ goal: "g", agent: "a", created: "2026-07-11T12:00:00Z", ...more });

test("HO-8 defaults, the order of the fields, and a result that is valid", () => {
  const packet = pack(input());
  expect(packet).toEqual({
    id: packet.id,
    version: 1,
    goal: "g",
    context: "",
    progress: [],
    state: {},
    next_steps: [],
    open_questions: [],
    artifacts: [],
    provenance: { handed_off_by: "a", created: "2026-07-11T12:00:00Z" },
  });
  expect(Object.keys(packet)).toEqual(Object.keys(example()));
  expect(validatePacket(packet).valid).toBe(true);
});

test("HO-8 the example comes out of its parts, with its id", () => {
  const { id, provenance, ...sections } = example();
  const { handed_off_by: agent, created, from_session } = provenance;
  expect(pack({ ...sections, agent, created, ...(from_session === undefined ? {} : { from_session }) }).id).toBe(id);
});

test("HO-8 the input is neither changed nor held", () => {
  const given = input({
    progress: ["a"],
    state: { deep: { list: [1] } },
    artifacts: [{ path: "p" }],
    context: undefined,
  });
  const before = structuredClone(given);
  const list = [1];
  const packet = pack({ ...given, state: { deep: { list } } });
  list.push(2);
  expect(given).toEqual(before);
  given.progress?.push("b");
  Object.assign(given.state ?? {}, { deep: 2 });
  Object.assign(given.artifacts?.[0] ?? {}, { path: "other" });
  expect(packet.progress).toEqual(["a"]);
  expect(packet.state).toEqual({ deep: { list: [1] } });
  expect(packet.artifacts).toEqual([{ path: "p" }]);
  expect(Object.hasOwn(pack(input({ state: JSON.parse('{"__proto__":{"x":1}}') })).state, "__proto__")).toBe(true);
});

test.each([
  [{ goal: " " }, /goal/],
  [{ goal: undefined }, /goal/],
  [{ agent: undefined }, /agent/],
  [{ agent: "" }, /agent/],
  [{ created: undefined }, /created/],
  [{ created: "2026-02-30T00:00:00Z" }, /created/],
  [{ context: 5 }, /context/],
  [{ progress: "x" }, /progress/],
  [{ state: [] }, /state/],
  [{ state: { at: new Date() } }, /state\.at is not JSON/],
  [{ artifacts: [{ path: "p", hash: "x" }] }, /artifacts\[0\]\.hash/],
  [{ version: 0 }, /version/],
  [{ from_session: 5 }, /from_session/],
  [{ nextsteps: ["lost without a word"] }, /nextsteps/],
  [{ goal: "half \ud83c" }, /goal holds half a character/],
  [{ state: { "\udc00": 1 } }, /half a character/],
])("HO-8 %j is refused by name", (more, message) => {
  expect(() => pack(input(more))).toThrow(
    expect.objectContaining({ name: "HandoverError", message: expect.stringMatching(message) }),
  );
});

test("D-HO-2 more than 1 MiB is refused, 1 MiB less the rest is not", () => {
  expect(() => pack(input({ context: "x".repeat(1024 * 1024) }))).toThrow(
    expect.objectContaining({ code: "too_large" }),
  );
  expect(pack(input({ context: "x".repeat(1024 * 1024 - 200) })).context).toHaveLength(1024 * 1024 - 200);
});

test("C-O6 a whole packet as input keeps its provenance, and what is said beside it wins", () => {
  expect(pack(example() as unknown as PackInput)).toEqual(example());
  const again = pack({ ...example(), agent: "codex", created: "2026-07-13T00:00:00Z" });
  expect(again.provenance).toEqual({
    handed_off_by: "codex",
    created: "2026-07-13T00:00:00Z",
    from_session: "sess-9f21",
  });
});

test("D-HO-5 a changed packet gets no new id by packing it", () => {
  const tampered = { ...example(), goal: "something else" } as unknown as PackInput;
  expect(() => pack(tampered)).toThrow(expect.objectContaining({ code: "id_mismatch" }));
});

test.each([[null], [[]], [1], [new Date()]])("HO-8 %s is no input", (value) => {
  expect(() => pack(value as unknown as PackInput)).toThrow(expect.objectContaining({ name: "HandoverError" }));
});
