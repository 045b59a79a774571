/** What kind of fault the embedded server met. */
export type EmbeddedErrorCode =
  | "binaries_missing"
  | "no_user"
  | "other_major"
  | "in_use"
  | "cannot_prepare"
  | "cannot_start"
  | "cannot_stop";

/** The one error class of this package. `message` says what happened, what was kept and what to do next. */
export class EmbeddedError extends Error {
  override readonly name = "EmbeddedError";
  readonly code: EmbeddedErrorCode;

  constructor(code: EmbeddedErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
