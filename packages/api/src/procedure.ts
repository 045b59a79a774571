/** The building blocks of every router: how calls fail, and who may decide. */
import { initTRPC } from "@trpc/server";
import { agentMayNotError, whyNotDecide } from "./agent-may-not.ts";
import type { LocalContext } from "./context.ts";
import { describeError, faultOf, toTrpcError } from "./error-codes.ts";

/** `refuse: "answer"` leaves the refusal to the procedure, whose answer has a place for it. */
export interface CallMeta {
  refuse?: "answer" | "throw";
}

const PING_MS = 10_000;

const t = initTRPC
  .context<LocalContext>()
  .meta<CallMeta>()
  .create({
    // The same routers run in a browser over a replica.
    allowOutsideOfServer: true,
    isDev: false,
    // A connection that is open at one end only is noticed within three pings.
    sse: { ping: { enabled: true, intervalMs: PING_MS }, client: { reconnectAfterInactivityMs: 3 * PING_MS } },
    errorFormatter: ({ shape, error, path }) => ({
      ...shape,
      message: describeError(error, path),
      data: { code: shape.data.code, httpStatus: shape.data.httpStatus, path, fault: faultOf(error.cause) },
    }),
  });

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

const mapFaults = t.middleware(async ({ next }) => {
  const result = await next();
  if (!result.ok) throw toTrpcError(result.error);
  return result;
});

/** Decisions are a person's: a run of an agent is told so, whatever else it may do. */
const personDecides = t.middleware(({ ctx, meta, next }) => {
  const refusal = whyNotDecide(ctx.caller);
  if (refusal !== null && meta?.refuse !== "answer") throw agentMayNotError(refusal);
  return next({ ctx: { refusal } });
});

/** Anybody with the token may call it. */
export const procedure = t.procedure.use(mapFaults);

/** Only a person may call it; an agent's run gets FORBIDDEN. */
export const decision = procedure.meta({ refuse: "throw" }).use(personDecides);

/** Only a person may call it; `ctx.refusal` says what an agent's run is to be answered. */
export const answeredDecision = procedure.meta({ refuse: "answer" }).use(personDecides);
