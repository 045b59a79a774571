/** The typed client of a daemon. It carries no schema: a page beside a daemon pays for the calls alone. */
import { createTRPCClient, type TRPCClient, type TRPCLink } from "@trpc/client";
import { ApiError, toApiError } from "./api-error.ts";
import { callLinks, errorsNamed } from "./call-links.ts";
import type { LocalRouter } from "./local.ts";
import { LOCAL_ENDPOINT } from "./protocol.ts";
import { type Connection, provenFetch } from "./proven-fetch.ts";

export { ApiError, type ApiErrorCode } from "./api-error.ts";
export { type Connection, proveDaemon } from "./proven-fetch.ts";

export type LocalClient = TRPCClient<LocalRouter>;

/** Whatever a call fails with becomes an ApiError. */
export const namedErrors: TRPCLink<LocalRouter> = errorsNamed(toApiError);

/**
 * Makes a client of the daemon at `url`. Failed calls throw ApiError. The token travels in a header only, and only after
 * the daemon has proved itself; inputs travel in bodies. A stream that is cut is resumed without a gap while the daemon
 * answers, and ends with `unreachable` when it does not.
 */
export function createLocalClient(connection: Connection): LocalClient {
  const url = new URL(LOCAL_ENDPOINT, connection.url).href;
  const links = callLinks({
    url,
    fetch: provenFetch(connection),
    nameError: toApiError,
    // A stream that cannot be opened ends; it is tried again only where the daemon answers.
    endsStream: (opening) => ("error" in opening && opening.error instanceof ApiError ? opening.error : null),
  });
  return createTRPCClient<LocalRouter>({ links });
}
