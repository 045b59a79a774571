/** What kind of fault the cloud met. Refusals are answers, never faults. */
export type CloudErrorCode =
  /** Too many tries from one place or at one account. */
  | "too_many"
  | "unavailable"
  /** A device was cut off while its stream was open. */
  | "cut_off"
  | "not_allowed"
  | "database_newer"
  | "migrations_broken"
  | "cannot_listen"
  | "tls_unreadable"
  | "secret_unreadable";

/** The cloud's one error class. `code` is closed; `message` says what happened, what was kept and what to do next. */
export class CloudError extends Error {
  override readonly name = "CloudError";
  readonly code: CloudErrorCode;
  /** Seconds after which there is another try; with `too_many` only. */
  readonly retryAfter: number | null;

  constructor(code: CloudErrorCode, message: string, options: { cause?: unknown; retryAfter?: number } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.retryAfter = options.retryAfter ?? null;
  }
}
