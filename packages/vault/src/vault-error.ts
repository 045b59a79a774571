/** Every way in which the vault says no (§13 of the format). */
export const VAULT_CODES = [
  "BAD_FORMAT",
  "BAD_KEY",
  "BAD_SIGNATURE",
  "BAD_SEAL",
  "BAD_ROOT",
  "BAD_ROSTER",
  "BAD_CODE",
  "UNKNOWN_FORMAT",
  "UNKNOWN_DEVICE",
  "TOO_LARGE",
  "KEY_MISSING",
  "WRONG_PLACE",
  "NOT_ALLOWED",
  "GAP",
  "FORK",
  "ROLLBACK",
  "TRUNCATED",
  "WITHHELD",
  "EQUIVOCATION",
  "VAULT_CHANGED",
  "STALE_EPOCH",
  "STALE_COMMAND",
  "STALE_STATUS",
  "STALE_TREE",
  "ALREADY_APPLIED",
  "CONFLICT",
  "PAIR_COMMITMENT",
  "PAIR_MISMATCH",
  "PAIR_EXPIRED",
] as const;
export type VaultCode = (typeof VAULT_CODES)[number];

/** The one error of this package. `reason` holds codes, numbers and ids only: it may be logged (V36). */
export class VaultError extends Error {
  readonly code: VaultCode;
  readonly reason: string;

  constructor(code: VaultCode, reason: string) {
    super(`${code}: ${reason}`);
    this.name = "VaultError";
    this.code = code;
    this.reason = reason;
  }
}

/** Throws a VaultError, where an expression is wanted. */
export function fail(code: VaultCode, reason: string): never {
  throw new VaultError(code, reason);
}
