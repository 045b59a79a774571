import type { EnvironmentVariables } from "../config.ts";

/** The environment of this process, with some variables set otherwise. */
export function environmentWith(changes: Record<string, string>): EnvironmentVariables {
  return { ...process.env, ...changes };
}
