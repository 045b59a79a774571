import { createTRPCClient, localLink } from "@trpc/client";
import { type LocalClient, namedErrors } from "./client.ts";
import type { LocalContext } from "./context.ts";
import type { LocalRouter } from "./local.ts";

/**
 * A client that runs the router in its own process: a page with a replica calls what a page beside a daemon calls, and
 * failed calls throw the same ApiError. Nothing travels; `onFault` is told of bugs.
 */
export function createInProcessClient(
  router: LocalRouter,
  context: LocalContext,
  onFault?: (fault: { path: string; error: unknown }) => void,
): LocalClient {
  return createTRPCClient<LocalRouter>({
    links: [
      namedErrors,
      localLink<LocalRouter>({
        router,
        createContext: async () => context,
        onError({ error, path }) {
          if (error.code === "INTERNAL_SERVER_ERROR") onFault?.({ path: path ?? "", error: error.cause ?? error });
        },
      }),
    ],
  });
}
