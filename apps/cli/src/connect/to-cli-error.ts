import type { ApiError, ApiErrorCode } from "@codehands/api/client";
import { REFUSAL_CODES, type RefusalCode } from "@codehands/contracts";
import { CliError } from "../cli-error.ts";
import { type ExitCode, REFUSAL_EXIT } from "../exit-code.ts";

const API_EXIT: Readonly<Record<ApiErrorCode, ExitCode>> = {
  unreachable: 7,
  unauthorized: 4,
  bad_request: 2,
  not_found: 3,
  refused: 5,
  internal: 1,
  version: 5,
};
const API_HINT: Readonly<Partial<Record<ApiErrorCode, string>>> = {
  unreachable: "codehands daemon status",
  unauthorized: "codehands daemon restart",
  internal: "codehands daemon logs",
  version: "codehands daemon restart",
};

/** Turns whatever a command failed with into what a person is told. A fault nobody expected has exit code 1. */
export function toCliError(error: unknown): CliError {
  if (error instanceof CliError) return error;
  if (isApiError(error)) {
    const fault = REFUSAL_CODES.find((code) => code === error.fault) ?? null;
    return new CliError({
      code: fault ?? error.code,
      exitCode: fault === null ? API_EXIT[error.code] : refusalExit(fault),
      message: error.message,
      hint: API_HINT[error.code] ?? null,
    });
  }
  const message = error instanceof Error ? error.message : String(error);
  return new CliError({ code: "unexpected", exitCode: 1, message: `Something went wrong: ${message}` });
}

function refusalExit(code: RefusalCode): ExitCode {
  return REFUSAL_EXIT[code];
}

// By its name: its module is loaded only by commands that call the daemon.
function isApiError(error: unknown): error is ApiError {
  return (
    error instanceof Error &&
    error.name === "ApiError" &&
    "code" in error &&
    Object.hasOwn(API_EXIT, String(error.code))
  );
}
