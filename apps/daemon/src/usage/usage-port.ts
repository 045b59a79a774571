import type { UsagePort } from "@codehands/api";
import type { OpenDatabase } from "../database/open-database.ts";
import { sumUsage, type UsageRow } from "./sum-usage.ts";

// A run stores what its session had cost when it ended, so its own cost is what it added to the runs before.
const RUNS = `
  select runs.session_id as sessionId, runs.ordinal = min(runs.ordinal) over session as first, runs.started_at as startedAt,
    sessions.agent, sessions.device_id as device, sessions.usage, sessions.repo_key as repoKey, repos.name as repoName,
    max(0, coalesce(runs.cost_usd, 0) - coalesce(max(runs.cost_usd) over before, 0)) as costUsd
  from runs join sessions on sessions.id = runs.session_id left join repos on repos.repo_key = sessions.repo_key
  window session as (partition by runs.session_id),
    before as (partition by runs.session_id order by runs.ordinal rows between unbounded preceding and 1 preceding)`;

type StoredRow = Omit<UsageRow, "first" | "repo"> & { first: number; repoKey: string; repoName: string | null };

/** What the runs of this device used and cost. Times are compared and days are cut in UTC. */
export function createUsage(store: OpenDatabase, names: { deviceId: string; deviceName: string }): UsagePort {
  return {
    async report({ by, since }) {
      const stored = store.prepare(RUNS).all() as StoredRow[];
      const rows = stored.map((row) => ({
        ...row,
        first: row.first === 1,
        // Two repositories may have one name.
        repo: row.repoName === null ? row.repoKey : `${row.repoName} (${row.repoKey})`,
        device: row.device === names.deviceId ? names.deviceName : row.device,
      }));
      const from = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since);
      return sumUsage(
        rows.filter((row) => !(Date.parse(row.startedAt) < from)),
        by,
      );
    },
  };
}
