/** The typed client of a daemon. It carries no schema: a page beside a daemon pays for the calls alone. */
import {
  createTRPCClient,
  httpLink,
  httpSubscriptionLink,
  splitLink,
  type TRPCClient,
  type TRPCLink,
} from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { EventSource } from "eventsource";
import { ApiError, toApiError } from "./api-error.ts";
import type { LocalRouter } from "./local.ts";
import { LOCAL_ENDPOINT } from "./protocol.ts";
import { type Connection, provenFetch } from "./proven-fetch.ts";

export { ApiError, type ApiErrorCode } from "./api-error.ts";
export { type Connection, proveDaemon } from "./proven-fetch.ts";

export type LocalClient = TRPCClient<LocalRouter>;

/** Where a stream leaves the error that ended it: an EventSource knows a status only. */
const FAILURE = "streamFailure";

const namedErrors: TRPCLink<LocalRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) =>
      next(op).subscribe({
        next: (value) => observer.next(value),
        complete: () => observer.complete(),
        error(error) {
          if (op.signal?.aborted) return observer.error(error);
          const failure = op.context[FAILURE];
          observer.error(failure instanceof ApiError ? failure : toApiError(error));
        },
      }),
    );

/** A stream that cannot be opened ends; it is tried again only where the daemon answers. */
const streamFetch =
  (ask: typeof fetch, context: Record<string, unknown>): typeof fetch =>
  async (url, init) => {
    try {
      return await ask(url, init);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      context[FAILURE] = error;
      return new Response(null, { status: 503 });
    }
  };

/**
 * Makes a client of the daemon at `url`. Failed calls throw ApiError. The token travels in a header only, and only after
 * the daemon has proved itself; inputs travel in bodies. A stream that is cut is resumed without a gap while the daemon
 * answers, and ends with `unreachable` when it does not.
 */
export function createLocalClient(connection: Connection): LocalClient {
  const url = new URL(LOCAL_ENDPOINT, connection.url).href;
  const ask = provenFetch(connection);
  return createTRPCClient<LocalRouter>({
    links: [
      namedErrors,
      splitLink({
        condition: (op) => op.type === "subscription",
        true: httpSubscriptionLink<LocalRouter, typeof EventSource>({
          url,
          EventSource,
          // Only ids and numbers are in a stream's URL.
          eventSourceOptions: ({ op }) => ({ fetch: streamFetch(ask, op.context) }),
        }),
        false: httpLink({ url, fetch: ask, methodOverride: "POST" }),
      }),
    ],
  });
}
