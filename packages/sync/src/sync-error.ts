export type SyncErrorCode = "bad_reply" | "too_large" | "refused" | "broken_store";

/** A fault of sync: a reply that no honest cloud gives, or a store that holds what cannot be. */
export class SyncError extends Error {
  readonly code: SyncErrorCode;

  constructor(code: SyncErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "SyncError";
    this.code = code;
  }
}
