import { TRPCClientError } from "@trpc/client";
import type { AnyTRPCRouter } from "@trpc/server";

export type ApiErrorCode =
  /** Nobody answers, or somebody who is not our daemon. */
  | "unreachable"
  /** The daemon does not accept the token. */
  | "unauthorized"
  /** The request does not fit its schema. */
  | "bad_request"
  | "not_found"
  /** Refused, or not to be had now, for a reason that `fault` names: `agent_may_not` and `no_account` are some. */
  | "refused"
  /** A fault of the daemon: its log has the details. */
  | "internal"
  /** Client and daemon speak different protocols. */
  | "version";

const BY_TRPC_CODE: Readonly<Record<string, ApiErrorCode>> = {
  BAD_REQUEST: "bad_request",
  PARSE_ERROR: "bad_request",
  METHOD_NOT_SUPPORTED: "bad_request",
  UNSUPPORTED_MEDIA_TYPE: "bad_request",
  PAYLOAD_TOO_LARGE: "bad_request",
  UNAUTHORIZED: "unauthorized",
  FORBIDDEN: "refused",
  CONFLICT: "refused",
  PRECONDITION_FAILED: "refused",
  TOO_MANY_REQUESTS: "refused",
  SERVICE_UNAVAILABLE: "refused",
  BAD_GATEWAY: "refused",
  NOT_FOUND: "not_found",
};

/** Every failed call ends in one of these. A refusal that needs a person is an answer instead. */
export class ApiError extends TRPCClientError<AnyTRPCRouter> {
  override readonly name = "ApiError";
  readonly code: ApiErrorCode;
  /** The closed code of what went wrong in the daemon, when it is known. */
  readonly fault: string | null;

  constructor(code: ApiErrorCode, message: string, options: { cause?: Error; fault?: string | null } = {}) {
    super(message, { cause: options.cause });
    // The base class sets its own prototype. It is the base so that tRPC hands our error through unwrapped.
    Object.setPrototypeOf(this, ApiError.prototype);
    this.code = code;
    this.fault = options.fault ?? null;
  }
}

const asError = (cause: unknown): Error | undefined => (cause instanceof Error ? cause : undefined);

/** The error for an HTTP status whose body is not the answer of a procedure; `says` is what the body told, if anything. */
export function errorOfStatus(status: number, says?: string): ApiError {
  if (status === 401 || status === 403)
    return new ApiError("unauthorized", says ?? "The daemon does not accept this program's token.");
  if (status >= 400 && status < 500)
    return new ApiError("bad_request", says ?? `The daemon refused the request (HTTP ${status}).`);
  return new ApiError("internal", says ?? `The daemon answered with HTTP ${status} and nothing that can be read.`);
}

/** Requests that are refused before any procedure have `{error: sentence}` as their body. */
function errorOfRefusal(meta: Record<string, unknown> | undefined): ApiError | null {
  const { response, responseJSON } = meta ?? {};
  if (!(response instanceof Response) || response.ok) return null;
  const said = typeof responseJSON === "object" && responseJSON !== null && "error" in responseJSON;
  return errorOfStatus(
    response.status,
    said && typeof responseJSON.error === "string" ? responseJSON.error : undefined,
  );
}

/** The error for a connection that could not be made or broke. */
export function unreachable(cause: unknown): ApiError {
  const why = asError(asError(cause)?.cause)?.message ?? asError(cause)?.message ?? "no answer";
  return new ApiError("unreachable", `The daemon cannot be reached (${why}).`, { cause: asError(cause) });
}

/** Turns whatever a call failed with into an ApiError; an ApiError stays as it is. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof TRPCClientError) {
    const data: { code?: unknown; fault?: unknown } | null | undefined = error.data;
    if (typeof data?.code === "string") {
      const fault = typeof data.fault === "string" ? data.fault : null;
      return new ApiError(BY_TRPC_CODE[data.code] ?? "internal", error.message, { cause: error, fault });
    }
    const refused = errorOfRefusal(error.meta);
    if (refused !== null) return refused;
    // fetch says TypeError when the connection breaks while an answer is read.
    if (error.cause instanceof TypeError) return unreachable(error.cause);
  }
  return new ApiError("internal", `The daemon's answer cannot be read. ${asError(error)?.message ?? ""}`.trim(), {
    cause: asError(error),
  });
}
