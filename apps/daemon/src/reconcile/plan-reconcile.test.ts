import { SESSION_STATUSES, type SessionStatus } from "@codehands/contracts";
import { describe, expect, test } from "vitest";
import { type Look, planReconcile, type SessionFacts } from "./plan-reconcile.ts";

const session = (status: SessionStatus, over: Partial<SessionFacts> = {}): SessionFacts => ({
  id: "s",
  status,
  worktree: "there",
  snapshot: "there",
  repo: "there",
  ...over,
});
const run = (state: "spawning" | "live", id = "r") => ({ id, sessionId: "s", state });

describe("runs that an earlier start left", () => {
  const open: [SessionStatus, "spawning" | "live", "attach" | "end"][] = [
    ["queued", "spawning", "attach"],
    ["queued", "live", "end"],
    ["running", "spawning", "attach"],
    ["running", "live", "attach"],
    ["stopped", "spawning", "attach"],
    ["stopped", "live", "end"],
    ["awaiting_approval", "live", "end"],
    ["failed", "live", "end"],
  ];
  test.each(open)("a session that is %s with a %s run: %s", (status, state, what) => {
    const plan = planReconcile({ runs: [run(state)], sessions: [session(status)], claimed: [] });
    expect([plan.attach, plan.endRuns]).toEqual(what === "attach" ? [["r"], []] : [[], ["r"]]);
    expect(plan.close).toEqual([]);
  });

  test("of two open runs the newer is read on, the older is closed", () => {
    const plan = planReconcile({
      runs: [run("live", "old"), run("spawning", "new")],
      sessions: [session("running")],
      claimed: [],
    });
    expect([plan.attach, plan.endRuns]).toEqual([["new"], ["old"]]);
  });

  test("I4: a session that says running without any open run is closed", () => {
    expect(planReconcile({ runs: [], sessions: [session("running")], claimed: [] }).close).toEqual(["s"]);
  });
});

describe("C056, F24: what is lost", () => {
  const lost = (status: SessionStatus, over: Partial<SessionFacts>) =>
    planReconcile({ runs: [], sessions: [session(status, over)], claimed: [] }).missing;

  test("only when worktree and snapshot are both gone, and only in a status that waits for something", () => {
    const looks: (Look | null)[] = ["there", "gone", "unknown", null];
    for (const status of SESSION_STATUSES) {
      for (const worktree of looks) {
        for (const snapshot of looks) {
          const isLost =
            ["queued", "stopped", "awaiting_approval"].includes(status) &&
            worktree === "gone" &&
            (snapshot === "gone" || snapshot === null);
          expect(lost(status, { worktree, snapshot }), `${status} ${worktree} ${snapshot}`).toHaveLength(
            isLost ? 1 : 0,
          );
        }
      }
    }
  });

  test("a session with a command to finish is not lost: that command may have put its worktree away", () => {
    const facts = { runs: [], sessions: [session("awaiting_approval", { worktree: "gone", snapshot: "gone" })] };
    expect(planReconcile({ ...facts, claimed: ["s"] }).missing).toEqual([]);
    expect(planReconcile({ ...facts, claimed: ["other"] }).missing).toHaveLength(1);
  });

  test("the reason names the repository when that is gone too", () => {
    const gone = { worktree: "gone", snapshot: "gone" } as const;
    expect(lost("stopped", gone)).toEqual([{ sessionId: "s", reason: "worktree_missing" }]);
    expect(lost("stopped", { ...gone, repo: "gone" })).toEqual([{ sessionId: "s", reason: "repo_missing" }]);
    expect(lost("stopped", { ...gone, repo: "unknown" })).toEqual([{ sessionId: "s", reason: "worktree_missing" }]);
  });
});
