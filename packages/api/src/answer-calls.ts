import type { AnyTRPCRouter, inferRouterContext } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";

/** A bug that stopped a call: for the log, never for the caller. */
export interface CallFault {
  /** The procedure, `sessions.list`; empty when none was found. */
  path: string;
  error: unknown;
}

export interface AnswerOptions<R extends AnyTRPCRouter> {
  router: R;
  context: inferRouterContext<R>;
  onFault?: (fault: CallFault) => void;
}

/** Answers one request below `endpoint`. Whether the caller may come here at all has been checked before. */
export function answerCalls<R extends AnyTRPCRouter>(
  request: Request,
  endpoint: string,
  options: AnswerOptions<R>,
): Promise<Response> {
  return fetchRequestHandler<AnyTRPCRouter>({
    endpoint,
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
