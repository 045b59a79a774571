import type { ValidationError } from "./packet/error-codes.ts";

export type HandoverErrorCode =
  | "invalid_input"
  | "invalid_packet"
  | "id_mismatch"
  | "not_json"
  | "too_large"
  | "not_found"
  | "unreadable"
  | "unknown_shape"
  | "usage";

/** The one error of this package. `errors` holds every violation when a packet or an input was refused for its form. */
export class HandoverError extends Error {
  readonly code: HandoverErrorCode;
  readonly errors: readonly ValidationError[];

  constructor(code: HandoverErrorCode, message: string, errors: readonly ValidationError[] = []) {
    super(message);
    this.name = "HandoverError";
    this.code = code;
    this.errors = errors;
  }
}
