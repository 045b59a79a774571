/** What kind of fault the daemon met. Refusals are answers, never faults. */
export type DaemonErrorCode =
  | "database_newer"
  | "database_damaged"
  | "database_unreadable"
  | "sqlite_too_old"
  | "migrations_broken"
  | "seq_gap"
  | "illegal_move"
  | "not_found"
  | "closed"
  | "home_in_use"
  | "home_not_private"
  | "cannot_listen"
  | "command_failed";

/** The daemon's one error class. `code` is closed; `message` says what happened, what was kept and what to do next. */
export class DaemonError extends Error {
  override readonly name = "DaemonError";
  readonly code: DaemonErrorCode;

  constructor(code: DaemonErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
