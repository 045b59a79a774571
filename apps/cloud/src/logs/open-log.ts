import { pino } from "pino";
import { redactLine } from "./redact-line.ts";

/** One line of the log: a short message for people, and fields beside it. */
export interface Log {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

export interface LogOptions {
  level: "info" | "warn" | "error";
  /** Takes whole lines of JSON; standard output in a program. */
  write: (line: string) => void;
}

/** Opens a log of JSON lines. Bodies are never given to it, and what looks like a secret or an e-mail address is masked. */
export function openLog(options: LogOptions): Log {
  const logger = pino(
    {
      level: options.level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { error: describeError },
    },
    { write: (line: string) => options.write(redactLine(line)) },
  );
  return {
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
  };
}

/** An error without the values of its statement: those may be somebody's. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = "code" in error ? { code: error.code } : {};
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  return { name: error.name, message: error.message, ...code, stack: error.stack, ...cause };
}
