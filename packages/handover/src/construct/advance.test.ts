import { expect, test } from "vitest";
import { example, small } from "../packet/example.test-kit.ts";
import { validatePacket } from "../validate/validate-packet.ts";
import { advance } from "./advance.ts";
import type { Patch } from "./read-packet.ts";

const created = "2026-07-12T09:00:00Z";

test("D-HO-6 finished steps go over to progress, answered questions go, the rest is a revision", () => {
  const before = example();
  const after = advance(before, {
    created,
    done: ["add tests for the verifier"],
    resolved: before.open_questions,
    progress: ["dropped plain challenge: no legacy client is left"],
    next_steps: ["ship"],
    agent: "codex",
  });
  expect(after.next_steps).toEqual(["handle the token-exchange callback", "ship"]);
  expect(after.open_questions).toEqual([]);
  expect(after.progress).toEqual([
    ...before.progress,
    "add tests for the verifier",
    "dropped plain challenge: no legacy client is left",
  ]);
  expect(after).toMatchObject({
    version: 2,
    provenance: { handed_off_by: "codex", created, from_session: "sess-9f21" },
  });
  expect(validatePacket(after).valid).toBe(true);
  expect(before).toEqual(example());
});

test("D-HO-6 one artifact for each path, the newest", () => {
  const hash = "0".repeat(64);
  const after = advance(example(), { created, artifacts: [{ path: "b.ts" }, { path: "src/auth/pkce.ts", hash }] });
  expect(after.artifacts).toEqual([{ path: "src/auth/pkce.ts", hash }, { path: "b.ts" }]);
});

test("D-HO-7 the checkpoint before is named, and names its own", () => {
  const second = advance(example(), { created });
  expect(second.state["prev_id"]).toBe(example().id);
  expect(advance(second, { created }).state["prev_id"]).toBe(second.id);
  expect(advance(small(), { created }).state).toEqual({});
});

test.each<[object, RegExp]>([
  [{ created, done: ["no such step"] }, /no next step "no such step"/],
  [{ created, resolved: ["no such question"] }, /no open question "no such question"/],
  [{ created, done: "all" }, /done of the patch must be an array/],
  [{ done: [] }, /created/],
  [{ created, artifacts: [null] }, /artifacts\[1\]/],
  [{ created, finished: [] }, /finished is not a field/],
])("D-HO-6 %j is refused: %s", (patch, message) => {
  expect(() => advance(example(), patch as Patch)).toThrow(
    expect.objectContaining({ name: "HandoverError", message: expect.stringMatching(message) }),
  );
});

test("D-HO-5 a tampered packet is not advanced", () => {
  expect(() => advance({ ...example(), context: "x" }, { created })).toThrow(
    expect.objectContaining({ code: "id_mismatch" }),
  );
});
