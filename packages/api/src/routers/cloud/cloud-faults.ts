/** The one place where faults of the cloud's ports become tRPC codes. */
import { TRPCError } from "@trpc/server";
import type { CloudFault } from "../../cloud-ports.ts";

const CODES: Readonly<Record<CloudFault, TRPCError["code"]>> = {
  too_many: "TOO_MANY_REQUESTS",
  unavailable: "SERVICE_UNAVAILABLE",
  cut_off: "UNAUTHORIZED",
  not_allowed: "FORBIDDEN",
};

const isFault = (code: unknown): code is CloudFault => typeof code === "string" && Object.hasOwn(CODES, code);

/** The closed code of a known fault and the seconds to wait, where there are any; nulls for a bug. */
export function cloudFaultOf(cause: unknown): { fault: CloudFault | null; retryAfter: number | null } {
  if (!(cause instanceof Error) || !("code" in cause) || !isFault(cause.code)) return { fault: null, retryAfter: null };
  const retryAfter = "retryAfter" in cause && typeof cause.retryAfter === "number" ? cause.retryAfter : null;
  return { fault: cause.code, retryAfter };
}

/** Turns what a port threw into a tRPC error; a tRPC error of ours stays as it is, everything else is a bug. */
export function toCloudTrpcError(thrown: unknown): TRPCError {
  // tRPC has wrapped what the port threw.
  const cause = thrown instanceof TRPCError && thrown.code === "INTERNAL_SERVER_ERROR" ? thrown.cause : thrown;
  if (cause instanceof TRPCError) return cause;
  const { fault } = cloudFaultOf(cause);
  if (fault !== null && cause instanceof Error)
    return new TRPCError({ code: CODES[fault], message: cause.message, cause });
  return thrown instanceof TRPCError ? thrown : new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause: thrown });
}
