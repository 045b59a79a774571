import type { SessionRow } from "../sessions/session-rows.ts";

const DAY_MS = 86_400_000;

/** The ended sessions that lie for longer than `staleDays`; one that another session continues stays. */
export function planStale<T extends Pick<SessionRow, "finishedAt" | "createdAt" | "supersededBy">>(
  ended: readonly T[],
  { now, staleDays }: { now: string; staleDays: number },
): T[] {
  const until = Date.parse(now) - staleDays * DAY_MS;
  return ended.filter(
    (session) => session.supersededBy === null && Date.parse(session.finishedAt ?? session.createdAt) <= until,
  );
}
