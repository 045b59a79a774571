import { httpLink, httpSubscriptionLink, splitLink, TRPCClientError, type TRPCLink } from "@trpc/client";
import type { AnyTRPCRouter } from "@trpc/server";
import { observable } from "@trpc/server/observable";
import { EventSource } from "eventsource";

/** Where a stream leaves the error that ended it: an EventSource knows a status only. */
const FAILURE = "streamFailure";

/** A client's one error. tRPC hands it through unwrapped. */
type Named = TRPCClientError<AnyTRPCRouter>;

/** What came of opening a stream. */
export type StreamOpening = { answer: Response } | { error: unknown };

export interface CallLinks {
  /** The address of the router. */
  url: string;
  /** Sends what opens the door along. */
  fetch: typeof fetch;
  /** Turns whatever a call failed with into the client's one error; one that is one stays as it is. */
  nameError: (error: unknown) => Named;
  /** The error that ends a stream, or null where it is tried again. */
  endsStream: (opening: StreamOpening) => Named | null | Promise<Named | null>;
}

/** Whatever a call fails with becomes the client's one error. What the caller itself aborted stays as it is. */
export const errorsNamed =
  (nameError: (error: unknown) => Named): TRPCLink<AnyTRPCRouter> =>
  () =>
  ({ op, next }) =>
    observable((observer) =>
      next(op).subscribe({
        next: (value) => observer.next(value),
        complete: () => observer.complete(),
        error(error) {
          if (op.signal?.aborted) return observer.error(error);
          const failure = op.context[FAILURE];
          observer.error(failure instanceof TRPCClientError ? failure : nameError(error));
        },
      }),
    );

const streamFetch =
  ({ fetch: ask, endsStream }: CallLinks, context: Record<string, unknown>): typeof fetch =>
  async (url, init) => {
    const opening: StreamOpening = await ask(url, init).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    );
    const failure = await endsStream(opening);
    if (failure !== null) context[FAILURE] = failure;
    if ("answer" in opening) return opening.answer;
    if (failure === null) throw opening.error;
    return new Response(null, { status: 503 });
  };

/** The links of a client over HTTP: every call is a POST whose input travels in its body, every stream an EventSource. */
export function callLinks(o: CallLinks): TRPCLink<AnyTRPCRouter>[] {
  return [
    errorsNamed(o.nameError),
    splitLink({
      condition: (op) => op.type === "subscription",
      true: httpSubscriptionLink<AnyTRPCRouter, typeof EventSource>({
        url: o.url,
        EventSource,
        // Only ids and numbers are in a stream's URL.
        eventSourceOptions: ({ op }) => ({ fetch: streamFetch(o, op.context) }),
      }),
      false: httpLink({ url: o.url, fetch: o.fetch, methodOverride: "POST" }),
    }),
  ];
}
