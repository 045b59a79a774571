import { describe, expect, test } from "vitest";
import { ERROR_CODES } from "../packet/error-codes.ts";
import { example, small } from "../packet/example.test-kit.ts";
import { PACKET_FIELDS, REQUIRED_SECTIONS } from "../packet/packet.ts";
import { validateArtifact } from "./validate-artifact.ts";
import { validatePacket } from "./validate-packet.ts";

const provenance = { handed_off_by: "a", created: "2026-07-11T12:00:00Z" };
const found = (value: unknown) => validatePacket(value).errors.map(({ path, code }) => `${path} ${code}`);

describe("HO-1 to HO-5 the form of a packet", () => {
  test("the example, the smallest packet and one without an id are valid", () => {
    const { id: _id, ...rest } = example();
    for (const packet of [example(), small(), rest])
      expect(validatePacket(packet)).toEqual({ valid: true, errors: [] });
  });

  test.each<[object, string[]]>([
    [{}, ["goal MISSING_FIELD", "provenance MISSING_FIELD"]],
    [small({ extra: 1 }), ["extra UNKNOWN_FIELD"]],
    [small({ goal: " \t" }), ["goal EMPTY_STRING"]],
    [small({ goal: 1 }), ["goal WRONG_TYPE"]],
    [small({ context: null }), ["context WRONG_TYPE"]],
    [small({ context: undefined }), ["context WRONG_TYPE"]],
    [small({ progress: "x" }), ["progress NOT_ARRAY"]],
    [small({ next_steps: ["a", 1, null] }), ["next_steps[1] WRONG_TYPE", "next_steps[2] WRONG_TYPE"]],
    [small({ open_questions: {} }), ["open_questions NOT_ARRAY"]],
    [small({ state: [] }), ["state WRONG_TYPE"]],
    [small({ state: { key_files: "a" } }), ["state.key_files NOT_ARRAY"]],
    [small({ state: { key_files: [1] } }), ["state.key_files[0] WRONG_TYPE"]],
    [small({ state: { a: undefined, b: [new Date()] } }), ["state.a NOT_JSON", "state.b[0] NOT_JSON"]],
    [small({ artifacts: {} }), ["artifacts NOT_ARRAY"]],
    [
      small({ artifacts: [3, { path: "" }, { hash: "AB", note: 1, x: 1 }] }),
      [
        "artifacts[0] NOT_OBJECT",
        "artifacts[1].path EMPTY_STRING",
        "artifacts[2].path MISSING_FIELD",
        "artifacts[2].hash INVALID_SHA256",
        "artifacts[2].note WRONG_TYPE",
        "artifacts[2].x UNKNOWN_FIELD",
      ],
    ],
    [small({ version: 0 }), ["version INVALID_INTEGER"]],
    [small({ version: 1.5 }), ["version INVALID_INTEGER"]],
    [small({ version: "1" }), ["version INVALID_INTEGER"]],
    [small({ id: "A".repeat(64) }), ["id INVALID_SHA256"]],
    [small({ id: "a".repeat(64) }), ["id ID_MISMATCH"]],
    [small({ provenance: "x" }), ["provenance WRONG_TYPE"]],
    [small({ provenance: {} }), ["provenance.handed_off_by MISSING_FIELD", "provenance.created MISSING_FIELD"]],
    [
      small({ provenance: { handed_off_by: " ", created: "2026-02-29T00:00:00Z", from_session: 1, host: "x" } }),
      [
        "provenance.handed_off_by EMPTY_STRING",
        "provenance.created INVALID_ISO8601",
        "provenance.from_session WRONG_TYPE",
        "provenance.host UNKNOWN_FIELD",
      ],
    ],
  ])("%j: %j", (packet, errors) => expect(found(packet)).toEqual(errors));

  test("HO-6 every violation is told at once", () => {
    const errors = found({
      id: "x",
      version: 0,
      goal: "",
      context: 1,
      progress: 1,
      state: 1,
      artifacts: 1,
      provenance: {},
      z: 1,
    });
    expect(errors).toHaveLength(10);
  });

  test.each([[null], [undefined], [[]], [1], ["x"], [true], [1n], [Symbol("s")], [() => 1]])(
    "HO-6 %s is no packet and no artifact",
    (value) => {
      expect(found(value)).toEqual([" NOT_OBJECT"]);
      expect(validateArtifact(value).errors[0]?.code).toBe("NOT_OBJECT");
    },
  );

  test("HO-6 an artifact by itself", () => {
    expect(validateArtifact({ path: "a", hash: "0".repeat(64), note: "" })).toEqual({ valid: true, errors: [] });
    expect(
      validateArtifact({ path: " ", hash: 1, z: undefined }).errors.map(({ path, code }) => `${path} ${code}`),
    ).toEqual(["path EMPTY_STRING", "hash INVALID_SHA256", "z UNKNOWN_FIELD"]);
  });

  test("HO-7 the constants of the format", () => {
    expect(PACKET_FIELDS).toEqual(Object.keys(example()));
    expect(REQUIRED_SECTIONS).toEqual(PACKET_FIELDS.slice(2, 9));
    for (const [name, value] of Object.entries(ERROR_CODES)) expect(value).toBe(name);
    expect(Object.keys(ERROR_CODES)).toHaveLength(11);
    expect([PACKET_FIELDS, REQUIRED_SECTIONS, ERROR_CODES].every(Object.isFrozen)).toBe(true);
  });

  test("a getter is asked once: what was checked is what was hashed", () => {
    let asked = 0;
    const packet = small({ provenance });
    Object.defineProperty(packet, "context", { enumerable: true, get: () => `answer ${++asked}` });
    expect(validatePacket(packet).valid).toBe(true);
    expect(asked).toBe(1);
  });
});
