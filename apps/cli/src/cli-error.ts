import type { ExitCode } from "./exit-code.ts";

export interface CliErrorParts {
  code: string;
  exitCode: ExitCode;
  /** What happened, as one sentence a person reads. */
  message: string;
  /** A whole command line that helps; null when there is none. */
  hint?: string | null;
}

/** The one error of this package: everything the command tells a person about not having done it. */
export class CliError extends Error {
  readonly code: string;
  readonly exitCode: ExitCode;
  readonly hint: string | null;

  constructor(parts: CliErrorParts) {
    super(parts.message);
    this.name = "CliError";
    this.code = parts.code;
    this.exitCode = parts.exitCode;
    this.hint = parts.hint ?? null;
  }
}

/** A wrong use of the command: exit code 2. */
export function usageError(message: string, hint: string | null = null): CliError {
  return new CliError({ code: "usage", exitCode: 2, message, hint });
}
