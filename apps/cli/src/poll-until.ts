import { setTimeout as sleep } from "node:timers/promises";
import type { Cli } from "./cli.ts";

/**
 * Looks until there is an answer. Null when `signal` aborted, when `patienceMs` had passed without one, or after so many
 * `looks`.
 */
export async function pollUntil<T>(
  cli: Pick<Cli, "pollMs">,
  look: () => Promise<T | null>,
  o: { signal?: AbortSignal; patienceMs?: number; looks?: number } = {},
): Promise<T | null> {
  const giveUpAt = o.patienceMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + o.patienceMs;
  for (let looked = 1; !o.signal?.aborted; looked += 1) {
    const found = await look();
    if (found !== null || looked === o.looks) return found;
    const left = giveUpAt - Date.now();
    if (left <= 0) return null;
    const resting = sleep(Math.min(cli.pollMs, left), undefined, { ...(o.signal && { signal: o.signal }) });
    await resting.catch(() => undefined);
  }
  return null;
}
