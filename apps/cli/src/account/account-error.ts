import type { SignedUp } from "@codehands/api";
import { CliError } from "../cli-error.ts";
import type { ExitCode } from "../exit-code.ts";

type AccountCode = Extract<SignedUp, { ok: false }>["code"];

const ACCOUNT_EXIT: Readonly<Record<AccountCode, ExitCode>> = {
  signed_in_already: 5,
  not_signed_in: 4,
  wrong_password: 4,
  bad_code: 2,
  too_many: 9,
  unreachable: 7,
  locked: 4,
  refused: 5,
};
/** Codes of the vault and of the connection that mean more than a conflict. */
const OTHER_EXIT: Readonly<Record<string, ExitCode>> = {
  no_account: 4,
  NOT_ALLOWED: 4,
  not_found: 3,
  UNKNOWN_DEVICE: 3,
  BAD_CODE: 2,
  BAD_FORMAT: 2,
  not_sent: 7,
};

const HINTS: Readonly<Record<string, string>> = {
  signed_in_already: "codehands whoami",
  not_signed_in: "codehands login",
  no_account: "codehands login",
  not_sent: "codehands sync status",
  locked: "codehands pair",
  INVITATION_GONE: "codehands pair --phone",
  PAIR_EXPIRED: "codehands pair",
  PAIR_COMMITMENT: "codehands pair",
  PAIR_MISMATCH: "codehands pair",
};

/** Something about the account that was refused, as the error a person reads. */
export function accountError(refusal: { code: string; reason: string }, hint: string | null = null): CliError {
  const { code, reason } = refusal;
  return new CliError({ code, exitCode: exitOf(code), message: reason, hint: hint ?? HINTS[code] ?? null });
}

function exitOf(code: string): ExitCode {
  return { ...OTHER_EXIT, ...ACCOUNT_EXIT }[code] ?? 5;
}

/** What is said where only a device of an account can answer. */
export function notSignedIn(): CliError {
  return accountError({ code: "not_signed_in", reason: "This device is not signed in to an account." });
}
