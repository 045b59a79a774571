import { canTransition, RUNNER_EVENT_TYPES, SESSION_STATUSES, type SessionStatus } from "@codehands/contracts";
import { describe, expect, test } from "vitest";
import { type FoldableEvent, foldEvent, targetOf } from "./fold-event.ts";
import { parseDiffStat } from "./parse-diff-stat.ts";
import { addUsage, readUsage } from "./read-usage.ts";

const EVENT_TO: [string, SessionStatus][] = [
  ["task.started", "running"],
  ["task.finished", "awaiting_approval"],
  ["task.failed", "failed"],
  ["task.stopped", "stopped"],
];

const event = (type: string, payload: Record<string, unknown> = {}): FoldableEvent => ({
  seq: 9,
  type,
  at: "T",
  payload,
});
const before = (status: SessionStatus) => ({ status, agent: "sample", startedAt: null, usage: null });

describe("I2: an event moves a session only along the contract", () => {
  for (const from of SESSION_STATUSES) {
    test.each(EVENT_TO)(`%s on a session that is ${from}`, (type, to) => {
      const fold = foldEvent(before(from), event(type));
      if (from === "running" && to === "running") expect(fold).toMatchObject({ ok: true, to: null });
      else if (canTransition(from, to)) expect(fold).toMatchObject({ ok: true, to });
      else expect(fold).toMatchObject({ ok: false, code: "illegal_move" });
    });
  }

  test("no event makes a session queued, approved or rejected: those are outcomes of commands", () => {
    const reached = RUNNER_EVENT_TYPES.map((type) => targetOf(type)).filter((target) => target !== null);
    expect(reached.sort()).toEqual(["awaiting_approval", "failed", "running", "stopped"]);
  });
});

test("task.finished brings cost, turns, tree, counts and the tokens of all runs together", () => {
  const usage = { input_tokens: 3, cache_creation_input_tokens: 2, cache_read_input_tokens: 10, output_tokens: 4 };
  const payload = {
    total_cost_usd: 1.5,
    num_turns: 7,
    treeId: "t",
    diffStat: " 2 files changed, 5 insertions(+)\n",
    usage,
  };
  const earlier = { inputTokens: 1, cachedInputTokens: 1, outputTokens: 1 };
  const fold = foldEvent({ ...before("running"), usage: earlier }, event("task.finished", payload));
  expect(fold).toMatchObject({
    change: { costUsd: 1.5, numTurns: 7, treeId: "t", finishedAt: "T", reason: null },
    usage: { inputTokens: 6, cachedInputTokens: 11, outputTokens: 5 },
    provider: { agent: "sample", state: "ok" },
  });
  expect(fold.ok && JSON.parse(fold.change.diff ?? "")).toEqual({ files: 2, additions: 5, deletions: 0 });
});

test("an unknown reason is kept as agent_error; an unknown type or payload changes nothing (G23)", () => {
  expect(foldEvent(before("running"), event("task.failed", { reason: "moon" }))).toMatchObject({
    change: { reason: "agent_error" },
  });
  const nothing = { ok: true, to: null, change: {}, provider: null };
  for (const status of SESSION_STATUSES) expect(foldEvent(before(status), event("task.dreamt"))).toMatchObject(nothing);
  expect(foldEvent(before("running"), event("test.result", { passed: "yes" }))).toMatchObject(nothing);
  expect(foldEvent(before("running"), event("provider.status", { state: "asleep" }))).toMatchObject(nothing);
  expect(foldEvent(before("running"), event("task.started", { agentSessionId: 5, model: {} }))).toMatchObject({
    ok: true,
  });
});

test("provider.status becomes the provider's state with its time", () => {
  const payload = { state: "rate_limited", retryAt: "later", detail: "slow down" };
  expect(foldEvent(before("running"), event("provider.status", payload))).toMatchObject({
    to: null,
    provider: { agent: "sample", state: "rate_limited", retryAt: "later", detail: "slow down", at: "T" },
  });
});

test("the last line of a stat is counted", () => {
  const stat = " a | 2 +-\n b | 1 -\n 2 files changed, 1 insertion(+), 2 deletions(-)\n";
  expect(parseDiffStat(stat)).toEqual({ files: 2, additions: 1, deletions: 2 });
  expect(parseDiffStat("")).toEqual({ files: 0, additions: 0, deletions: 0 });
  expect(parseDiffStat("something else")).toBeNull();
});

test("tokens are read under the names of every known agent", () => {
  const codex = { input_tokens: 10, cached_input_tokens: 4, output_tokens: 3, reasoning_output_tokens: 2 };
  const read = { inputTokens: 10, cachedInputTokens: 4, outputTokens: 3, reasoningTokens: 2 };
  expect(readUsage(codex)).toEqual(read);
  expect(readUsage(read)).toEqual(read);
  expect(readUsage("many")).toBeNull();
  expect(readUsage({ input_tokens: "x", output_tokens: -1 })).toEqual({
    inputTokens: 0,
    cachedInputTokens: 0,
    outputTokens: 0,
  });
  expect(addUsage(read, null)).toEqual(read);
});
