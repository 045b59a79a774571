import { TRPCClientError } from "@trpc/client";
import type { AnyTRPCRouter } from "@trpc/server";

export type CloudCallCode =
  /** Nobody answers. Nothing is known about what was sent. */
  | "unreachable"
  /** The token or the login does not count (any more): ask for a new token. */
  | "unauthorized"
  /** The request does not fit its schema. */
  | "bad_request"
  /** Known and refused. */
  | "refused"
  /** Too many tries; `retryAfter` says when to try again. */
  | "too_many"
  | "too_large"
  /** The cloud's database cannot be reached at the moment. */
  | "unavailable"
  /** A fault of the cloud: its log has the details. */
  | "internal";

/** Every failed call of a cloud ends in one of these. */
export class CloudCallError extends TRPCClientError<AnyTRPCRouter> {
  override readonly name = "CloudCallError";
  readonly code: CloudCallCode;
  /** Seconds; null when the cloud did not say. */
  readonly retryAfter: number | null;

  constructor(code: CloudCallCode, message: string, options: { cause?: Error; retryAfter?: number | null } = {}) {
    super(message, { cause: options.cause });
    // The base class sets its own prototype. It is the base so that tRPC hands our error through unwrapped.
    Object.setPrototypeOf(this, CloudCallError.prototype);
    this.code = code;
    this.retryAfter = options.retryAfter ?? null;
  }
}

/** The error for a connection that could not be made or broke. */
export function unreachableCloud(cause: unknown): CloudCallError {
  const error = cause instanceof Error ? cause : undefined;
  const why = (error?.cause instanceof Error ? error.cause.message : error?.message) ?? "no answer";
  return new CloudCallError("unreachable", `The cloud cannot be reached (${why}).`, { cause: error });
}

const BY_STATUS: Readonly<Record<number, CloudCallCode>> = {
  401: "unauthorized",
  403: "refused",
  413: "too_large",
  429: "too_many",
  503: "unavailable",
};

/** The error for an answer that no procedure gave: a refusal before it, or of a login. */
export function errorOfAnswer(answer: Response, body: unknown): CloudCallError {
  const said = (name: string): string | null =>
    typeof body === "object" && body !== null && name in body && typeof Reflect.get(body, name) === "string"
      ? String(Reflect.get(body, name))
      : null;
  const seconds = Number(answer.headers.get("retry-after") ?? Number.NaN);
  const code = BY_STATUS[answer.status] ?? (answer.status < 500 ? "bad_request" : "internal");
  return new CloudCallError(
    code,
    said("error") ?? said("message") ?? `The cloud refused the request (HTTP ${answer.status}).`,
    { retryAfter: Number.isFinite(seconds) ? seconds : null },
  );
}
