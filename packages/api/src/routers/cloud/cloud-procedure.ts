/** The building blocks of the cloud's routers: who may call, and how calls fail. */
import { initTRPC, TRPCError } from "@trpc/server";
import type { CloudContext } from "../../cloud-context.ts";
import { describeError } from "../../error-codes.ts";
import { cloudFaultOf, toCloudTrpcError } from "./cloud-faults.ts";

/** A stream on which nothing is said for this long says that it is there. */
export const PING_MS = 10_000;

const t = initTRPC.context<CloudContext>().create({
  isDev: false,
  // A connection that is open at one end only is noticed within three pings.
  sse: { ping: { enabled: true, intervalMs: PING_MS }, client: { reconnectAfterInactivityMs: 3 * PING_MS } },
  errorFormatter: ({ shape, error, path }) => ({
    ...shape,
    message: describeError(error, path),
    data: { code: shape.data.code, httpStatus: shape.data.httpStatus, path, ...cloudFaultOf(error.cause) },
  }),
});

export const cloudRouter = t.router;
export const createCloudCallerFactory = t.createCallerFactory;

const mapFaults = t.middleware(async ({ next }) => {
  const result = await next();
  if (!result.ok) throw toCloudTrpcError(result.error);
  return result;
});

const unauthorized = (reason: string | null): TRPCError =>
  new TRPCError({ code: "UNAUTHORIZED", message: reason ?? "Log in, or ask for an access token." });

/** Anybody may call it: it leads to a token, or takes part in a pairing. */
export const openProcedure = t.procedure.use(mapFaults);

/** A device with a token, or a person who logged in. */
export const accountProcedure = openProcedure.use(({ ctx, next }) => {
  if (ctx.caller === null) throw unauthorized(ctx.refusal);
  return next({ ctx: { caller: ctx.caller } });
});

/** A device with a token; a login is not enough. */
export const deviceProcedure = openProcedure.use(({ ctx, next }) => {
  if (ctx.caller === null) throw unauthorized(ctx.refusal);
  if (ctx.caller.kind !== "device")
    throw new TRPCError({ code: "FORBIDDEN", message: "Only a device with an access token may do this." });
  return next({ ctx: { device: ctx.caller } });
});
