import { describe, expect, it } from "vitest";
import type { AgentReport } from "./agent-door.ts";
import { decideEnd, type EndFacts } from "./decide-end.ts";
import { recording, replay } from "./replay.test-kit.ts";

const OK: NonNullable<AgentReport["result"]> = {
  isError: false,
  text: "Done.",
  costUsd: 0.1,
  usage: { input_tokens: 5 },
  numTurns: 3,
  overBudget: false,
};
const ERROR = { ...OK, isError: true, text: "Reached maximum number of turns (1)" };
const BUDGET = { ...OK, isError: true, overBudget: true, text: "Reached maximum budget ($0.5)" };
const LIMIT = { state: "usage_limit", retryAt: "2026-11-30T17:33:20.000Z", detail: "You've hit your limit" } as const;

const RESULTS = { none: null, ok: OK, error: ERROR, budget: BUDGET };
const STOPS = { none: null, person: { reason: "person", by: "device-1" } } as const;
const WATCHDOGS = [null, "no_first_line", "stalled", "wall_clock", "output_limit", "disk_full"] as const;
const PROVIDERS = { none: null, limit: LIMIT };
const SESSIONS = [null, "agent-session"];

function facts(change: Partial<Omit<EndFacts, "report">> & { report?: Partial<AgentReport> } = {}): EndFacts {
  const { report, ...rest } = change;
  return {
    exitCode: 0,
    signal: null,
    stop: null,
    watchdog: null,
    stderr: "",
    anyLine: true,
    ...rest,
    report: {
      result: null,
      provider: null,
      reason: null,
      agentSessionId: "agent-session",
      denied: 0,
      open: 0,
      ...report,
    },
  };
}
const endOf = (change: Parameters<typeof facts>[0]) => {
  const { type, payload } = decideEnd(facts(change));
  return type === "task.finished" ? type : `${type} ${payload.reason}`;
};

/** Every combination, as a person would tell it: the first sentence that holds is the end. */
function told(c: {
  result: keyof typeof RESULTS;
  stop: keyof typeof STOPS;
  watchdog: EndFacts["watchdog"];
  provider: keyof typeof PROVIDERS;
  session: string | null;
}): string {
  const resumable = c.session === null ? "task.failed" : "task.stopped";
  if (c.stop === "person") return "task.stopped person";
  if (c.watchdog === "disk_full") return "task.failed disk_full";
  if (c.watchdog === "output_limit") return "task.failed output_limit";
  if (c.result === "ok") return "task.finished";
  if (c.result === "budget") return `${resumable} budget`;
  if (c.watchdog === "wall_clock") return "task.stopped wall_clock";
  if (c.watchdog === "stalled") return "task.failed stalled";
  if (c.watchdog === "no_first_line") return "task.failed no_first_line";
  if (c.provider === "limit") return `${resumable} usage_limit`;
  return c.result === "error" ? "task.failed agent_error" : "task.failed no_result";
}

describe("decideEnd", () => {
  it("is total: every combination of result, stop, watchdog, provider and session ends as told", () => {
    let seen = 0;
    for (const result of Object.keys(RESULTS) as (keyof typeof RESULTS)[])
      for (const stop of Object.keys(STOPS) as (keyof typeof STOPS)[])
        for (const watchdog of WATCHDOGS)
          for (const provider of Object.keys(PROVIDERS) as (keyof typeof PROVIDERS)[])
            for (const session of SESSIONS) {
              const combination = { result, stop, watchdog, provider, session };
              const report = { result: RESULTS[result], provider: PROVIDERS[provider], agentSessionId: session };
              expect({ ...combination, end: endOf({ report, stop: STOPS[stop], watchdog }) }).toEqual({
                ...combination,
                end: told(combination),
              });
              seen += 1;
            }
    expect(seen).toBe(4 * 2 * 6 * 2 * 2);
  });

  it("passes cost, usage and turns through, and counts what was denied", () => {
    expect(decideEnd(facts({ report: { result: OK, denied: 2 } }))).toEqual({
      type: "task.finished",
      payload: { total_cost_usd: 0.1, usage: { input_tokens: 5 }, num_turns: 3, result: "Done.", denied: 2 },
    });
  });

  it("a stop that was asked for beats a finish, and keeps who asked and what it cost", () => {
    expect(decideEnd(facts({ report: { result: OK }, stop: STOPS.person }))).toEqual({
      type: "task.stopped",
      payload: { reason: "person", by: "device-1", total_cost_usd: 0.1 },
    });
  });

  it("tells when a limit ends", () => {
    const { payload } = decideEnd(facts({ report: { result: ERROR, provider: LIMIT } }));
    expect(payload).toEqual({ reason: "usage_limit", retryAt: LIMIT.retryAt, total_cost_usd: 0.1 });
  });

  it("the exit code says nothing once there is a result", () => {
    expect(endOf({ report: { result: OK }, exitCode: 143 })).toBe("task.finished");
    expect(endOf({ report: { result: ERROR }, exitCode: 0 })).toBe("task.failed agent_error");
    // SIGINT that nobody of ours sent: exit code 0 and an error result.
    expect(replay(recording("sigint")).end).toMatchObject({ type: "task.failed", payload: { reason: "agent_error" } });
  });

  it("C003 the agent exited without a result: says so, what was kept and what to do", () => {
    const { payload } = decideEnd(facts({ exitCode: 1, stderr: "boom", anyLine: true }));
    expect(payload).toMatchObject({ reason: "no_result", stderr: "boom", exitCode: 1, total_cost_usd: null });
    expect(payload).toHaveProperty(
      "detail",
      expect.stringContaining("the agent exited without a result (exit code 1)"),
    );
    expect(payload).toHaveProperty("detail", expect.stringContaining("are kept"));
  });

  it("a program that is not there did not run", () => {
    expect(endOf({ exitCode: 127, anyLine: false, stderr: "not found" })).toBe("task.failed spawn_failed");
    expect(endOf({ exitCode: 126, anyLine: false })).toBe("task.failed spawn_failed");
    expect(endOf({ exitCode: 127, anyLine: true })).toBe("task.failed no_result");
  });

  it("a run whose end nobody saw can be resumed when its session is known", () => {
    const gone = { exitCode: null, signal: null, lost: true };
    expect(endOf(gone)).toBe("task.stopped daemon_restart");
    expect(endOf({ ...gone, report: { agentSessionId: null } })).toBe("task.failed exit_unknown");
    expect(endOf({ ...gone, lost: false })).toBe("task.failed exit_unknown");
    expect(endOf({ ...gone, report: { result: OK } })).toBe("task.finished");
  });

  it("names the signal that ended it", () => {
    const { payload } = decideEnd(facts({ exitCode: null, signal: "SIGKILL" }));
    expect(payload).toHaveProperty("detail", expect.stringContaining("ended by SIGKILL"));
  });

  it("an error without words still has a sentence", () => {
    expect(decideEnd(facts({ report: { result: { ...ERROR, text: "" } } })).payload).toHaveProperty(
      "detail",
      expect.stringContaining("did not name"),
    );
  });
});
