import { describe, expect, it } from "vitest";
import { DEFAULT_BUDGET_USD, remainingUsd, runCost, sessionCost } from "./budget.ts";
import { recording, replay } from "./replay.test-kit.ts";

const reported = (name: string) => replay(recording(name)).report.result?.costUsd ?? null;

describe("budgets over resumes", () => {
  it("Claude's figure counts over resumes: each run cost what it added", () => {
    const [a, b, c] = ["budget-resume-a", "budget-resume-b", "budget-resume-c"].map(reported);
    expect(runCost(null, a ?? null)).toBeCloseTo(0.3033, 10);
    expect(runCost(a ?? null, b ?? null)).toBeCloseTo(0.3033, 10);
    expect(runCost(b ?? null, c ?? null)).toBeCloseTo(0.3033, 10);
    expect(sessionCost(b ?? 0, c ?? null)).toBe(c);
  });

  it("a counter that began anew loses nothing of what was spent before", () => {
    expect(sessionCost(0.3, 0.1)).toBeCloseTo(0.4, 10);
    expect(runCost(0.3, 0.1)).toBeCloseTo(0.1, 10);
  });

  it("a run that reported nothing adds nothing that is known", () => {
    expect(sessionCost(0.3, null)).toBeNull();
    expect(runCost(0.3, null)).toBeNull();
  });

  it("the agent's cap holds per process, so each run gets what is left", () => {
    expect(remainingUsd(0.5, null)).toBe(0.5);
    expect(remainingUsd(0.5, reported("budget-resume-a"))).toBeCloseTo(0.1967, 10);
    expect(remainingUsd(null, 0.2)).toBeCloseTo(DEFAULT_BUDGET_USD - 0.2, 10);
  });

  it("is never below 0: the program overshoots its cap", () => {
    expect(remainingUsd(0.5, reported("budget"))).toBe(0);
  });
});
