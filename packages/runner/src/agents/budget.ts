/** What a session may cost when nobody said more, US dollars. */
export const DEFAULT_BUDGET_USD = 0.5;

/** What a session has cost in all, US dollars: the agent's figure counts over resumes, unless its counter began anew. */
export function sessionCost(before: number, reported: number | null): number | null {
  if (reported === null) return null;
  return reported >= before ? reported : before + reported;
}

/** What one run added to a session's cost, US dollars; null when the agent reported nothing. */
export function runCost(before: number | null, reported: number | null): number | null {
  const total = sessionCost(before ?? 0, reported);
  return total === null ? null : total - (before ?? 0);
}

/** What is left of a session's budget, US dollars, never below 0. An agent's own cap holds per process, so each gets this. */
export function remainingUsd(budgetUsd: number | null, costUsd: number | null): number {
  return Math.max(0, (budgetUsd ?? DEFAULT_BUDGET_USD) - (costUsd ?? 0));
}
