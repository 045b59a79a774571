import { chmodSync, closeSync, mkdirSync, openSync, renameSync, statSync } from "node:fs";
import { pino } from "pino";

/** One line of the log: a short message for people, and fields beside it. */
export interface Log {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

export interface LogOptions {
  /** The folder of `daemon.log` and its predecessors; made with mode 0700. */
  folder: string;
  /** Masks secrets, the daemon's own token among them, in a line of JSON. */
  redact: (line: string) => string;
  /** A log that has grown past this is set aside at the start. */
  maxBytes?: number;
}

const MAX_BYTES = 5 * 1024 ** 2;
/** How many old logs stay beside the one that is written. */
const KEPT = 3;

/** Opens `daemon.log` (0600) for appending and passes every line through `redact`. */
export function openLog(options: LogOptions): Log & { close(): void } {
  const file = `${options.folder}/daemon.log`;
  mkdirSync(options.folder, { recursive: true, mode: 0o700 });
  rotateLog(file, options.maxBytes ?? MAX_BYTES);
  closeSync(openSync(file, "a", 0o600));
  chmodSync(file, 0o600);
  // Synchronous: the lines before a crash are the ones that matter, and there are few.
  const destination = pino.destination({ dest: file, sync: true, mode: 0o600 });
  const logger = pino(
    { base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime, serializers: { error: describeError } },
    { write: (line: string) => destination.write(options.redact(line)) },
  );
  return {
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
    close: () => destination.end(),
  };
}

/** Moves a log that has grown too large to `.1`, `.1` to `.2` and so on; the oldest goes. */
export function rotateLog(file: string, maxBytes: number): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= maxBytes) return;
  for (let number = KEPT; number >= 1; number -= 1) {
    const from = number === 1 ? file : `${file}.${number - 1}`;
    if (statSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, `${file}.${number}`);
  }
}

function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = "code" in error ? { code: error.code } : {};
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  return { name: error.name, message: error.message, ...code, stack: error.stack, ...cause };
}
