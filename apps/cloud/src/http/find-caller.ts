import type { AccountCaller } from "@codehands/api/cloud";

/** Where callers are known by what they show. */
export interface CallerSources {
  /** The device of a living access token, or null. */
  ofToken(token: string): Promise<AccountCaller | null>;
  /** The person of a living login cookie, or null. */
  ofLogin(headers: Headers): Promise<AccountCaller | null>;
}

export interface Found {
  caller: AccountCaller | null;
  /** Why what was shown does not count, for whoever shows it. */
  refusal: string | null;
}

/** Finds out who calls. A token wins over a cookie, and a token that does not count is never made good by one. */
export async function findCaller(headers: Headers, sources: CallerSources): Promise<Found> {
  const authorization = headers.get("authorization");
  if (authorization !== null) {
    const token = /^Bearer ([A-Za-z0-9_-]{43})$/.exec(authorization)?.[1];
    const caller = token === undefined ? null : await sources.ofToken(token);
    return {
      caller,
      refusal: caller === null ? "This access token does not count any more. Ask for a new one." : null,
    };
  }
  if (headers.get("cookie") === null) return { caller: null, refusal: null };
  const caller = await sources.ofLogin(headers);
  return { caller, refusal: caller === null ? "This login has ended. Log in again." : null };
}
