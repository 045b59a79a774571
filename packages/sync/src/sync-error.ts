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

/** Somebody finds one message too large, whoever names it so. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "too_large";
