import { DaemonError } from "../home/daemon-error.ts";

/** Why the daemon could not start, for a person: what it was and what to do. Null for a fault of ours. */
export function explainStartFailure(error: unknown): string | null {
  if (error instanceof DaemonError) return error.message;
  if (!(error instanceof Error)) return null;
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  if (code === "ERR_DLOPEN_FAILED" || /bindings file|NODE_MODULE_VERSION/.test(error.message)) {
    return `The database driver better-sqlite3 is not built for this Node.js (${process.version}). Nothing was started. Run: npm rebuild better-sqlite3 (with pnpm: pnpm rebuild better-sqlite3)`;
  }
  if (code === "ENOSPC" || code === "EDQUOT" || code === "SQLITE_FULL") {
    return `The disk is full${path === undefined ? "" : ` (${path})`}. Nothing was started. Free some space, then try again.`;
  }
  if (syscall === undefined || path === undefined) return null;
  return `${path} cannot be used (${code ?? error.message}). Nothing was started. Give your user access to it, or set CODEHANDS_HOME to another folder.`;
}
