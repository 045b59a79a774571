import { CloudError } from "../http/cloud-error.ts";

/** What says that the server was not there, or went away: nothing about the request was wrong. */
const AWAY = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENOENT",
  // Shut down by an operator, crashed, starting up, too many connections, read-only after a failover, deadlock.
  "57P01",
  "57P02",
  "57P03",
  "53300",
  "25006",
  "40P01",
]);

/** True when the database could not be reached, or stopped in the middle. */
export function isAway(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" && AWAY.has(code);
}

/** Runs `work`; throws CloudError `unavailable` when the database is away. What it had committed by then stays. */
export async function whenReachable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isAway(error)) throw error;
    throw new CloudError(
      "unavailable",
      "The database cannot be reached at the moment. What was acknowledged is kept. Try again in a moment.",
      { cause: error },
    );
  }
}
