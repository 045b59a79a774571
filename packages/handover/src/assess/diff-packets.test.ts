import { expect, test } from "vitest";
import { revise } from "../construct/revise.ts";
import { example } from "../packet/example.test-kit.ts";
import { diffPackets } from "./diff-packets.ts";
import { summarize } from "./summarize.ts";

const NOTHING = {
  goal_changed: false,
  version_delta: 0,
  progress_added: [],
  progress_removed: [],
  next_steps_added: [],
  next_steps_removed: [],
  questions_opened: [],
  questions_closed: [],
  artifacts_added: [],
  artifacts_removed: [],
  state_keys_changed: [],
};

test("HO-15 what a revision advanced, and the same backwards", () => {
  const after = revise(example(), {
    created: "2026-07-12T09:00:00Z",
    goal: "g",
    progress: ["p", "p"],
    next_steps: ["n"],
    open_questions: ["q"],
    artifacts: [{ path: "b.ts" }, { path: "src/auth/pkce.ts", note: "another note is no change" }],
    state: { cursor: "c", key_files: [] },
  });
  expect(diffPackets(example(), after)).toEqual({
    ...NOTHING,
    goal_changed: true,
    version_delta: 1,
    progress_added: ["p"],
    next_steps_added: ["n"],
    questions_opened: ["q"],
    artifacts_added: ["b.ts"],
    state_keys_changed: ["cursor", "key_files"],
  });
  expect(diffPackets(after, example())).toMatchObject({
    version_delta: -1,
    progress_removed: ["p"],
    next_steps_removed: ["n"],
    questions_closed: ["q"],
    artifacts_removed: ["b.ts"],
  });
});

test("HO-15 another order is no change, in lists as in values of the state", () => {
  const other = { ...example(), progress: example().progress.reverse(), state: { b: { y: 1, x: 2 } } };
  const same = { ...example(), state: { b: { x: 2, y: 1 } } };
  expect(diffPackets(same, other)).toEqual(NOTHING);
  expect(diffPackets(null, undefined)).toEqual(NOTHING);
  expect(diffPackets({ progress: ["a"] }, { progress: ["a", 5, {}] })).toEqual(NOTHING);
});

test("HO-14 one line", () => {
  expect(summarize(example())).toBe("add PKCE to the OAuth login flow — 2 done, 2 next, 1 open");
  expect(summarize({ goal: " two\n lines " })).toBe("two lines — 0 done, 0 next, 0 open");
  expect(summarize(null)).toBe("(no goal) — 0 done, 0 next, 0 open");
});
