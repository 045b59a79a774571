import { readFileSync } from "node:fs";
import type { DaemonFile } from "@codehands/contracts";

/** Reads `daemon.json`. Null when there is none, or when it is not whole: a daemon that starts writes a new one. */
export function readDaemonFile(path: string): DaemonFile | null {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return null;
  }
  return parseDaemonFile(text);
}

/** Reads the text of a `daemon.json`; null when it lacks what is needed to call the daemon. */
export function parseDaemonFile(text: string): DaemonFile | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  const { pid, port, token, bootId, homeId, version, protocol, startedAt } = value as Partial<
    Record<keyof DaemonFile, unknown>
  >;
  const words = [token, bootId, homeId, version, startedAt];
  if (words.some((word) => typeof word !== "string") || token === "") return null;
  if (!isWhole(pid, 2 ** 31) || !isWhole(port, 65_535) || !isWhole(protocol, 1e6)) return null;
  return value as DaemonFile;
}

function isWhole(value: unknown, most: number): boolean {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) <= most;
}
