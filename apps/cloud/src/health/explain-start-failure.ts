import { EmbeddedError } from "@codehands/pg-embedded";
import { isAway } from "../database/when-reachable.ts";
import { CloudError } from "../http/cloud-error.ts";

/** What PostgreSQL says, and what that means for whoever starts a cloud. */
const DATABASE_SAYS: Readonly<Record<string, string>> = {
  "28P01": "does not accept this user and password",
  "28000": "does not let this user in",
  "3D000": "has no database of this name. Create it first",
  "42501": "does not let this user create tables. Give it a database of its own",
};

/**
 * Why the cloud could not start, for a person: what it was and what to do. Null for a fault of ours. `kept` says what
 * came of it.
 */
export function explainStartFailure(error: unknown, kept = "Nothing was started."): string | null {
  if (error instanceof EmbeddedError) return error.message;
  if (error instanceof CloudError && error.code !== "unavailable") return error.message;
  if (isAway(error) || error instanceof CloudError)
    return `The database cannot be reached. ${kept} Check DATABASE_URL and whether PostgreSQL runs there.`;
  const { code } = (error ?? {}) as { code?: unknown };
  const says = typeof code === "string" ? DATABASE_SAYS[code] : undefined;
  return says === undefined ? null : `The database ${says}. ${kept} Check DATABASE_URL.`;
}
