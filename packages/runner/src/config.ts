import { homedir } from "node:os";

/** The environment this process runs in: the default source of the agents' own. */
export function ownEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

/** Our own folder when the caller names none. */
export function defaultHome(): string {
  return process.env["CODEHANDS_HOME"] ?? `${homedir()}/.codehands`;
}
