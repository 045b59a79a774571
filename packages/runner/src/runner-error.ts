import type { EndReason, RefusalCode } from "@codehands/contracts";

/** Why the runner refused a call or could not go on. */
export type RunnerErrorCode = RefusalCode | EndReason | "git_failed" | "internal";

/** The runner's one error class. `code` is closed; `message` says what happened and what was kept. */
export class RunnerError extends Error {
  override readonly name = "RunnerError";
  readonly code: RunnerErrorCode;

  constructor(code: RunnerErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
