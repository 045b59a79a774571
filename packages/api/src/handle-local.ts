import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import type { LocalContext } from "./context.ts";
import type { LocalRouter } from "./local.ts";
import { LOCAL_ENDPOINT } from "./protocol.ts";

/** A bug that stopped a call: for the log, never for the caller. */
export interface CallFault {
  /** The procedure, `sessions.list`; empty when none was found. */
  path: string;
  error: unknown;
}

/**
 * Answers one request below LOCAL_ENDPOINT. Whether the caller may talk to the daemon at all (Host, Origin, token) has
 * been checked before.
 */
export function handleLocal(
  request: Request,
  options: { router: LocalRouter; context: LocalContext; onFault?: (fault: CallFault) => void },
): Promise<Response> {
  return fetchRequestHandler({
    endpoint: LOCAL_ENDPOINT,
    req: request,
    router: options.router,
    createContext: () => options.context,
    // Inputs of queries travel in bodies: a URL ends up in logs.
    allowMethodOverride: true,
    allowBatching: false,
    onError({ error, path }) {
      if (error.code === "INTERNAL_SERVER_ERROR") options.onFault?.({ path: path ?? "", error: error.cause ?? error });
    },
  });
}
