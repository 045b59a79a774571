import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What a running server wrote down about itself. */
export interface Postmaster {
  pid: number;
  port: number;
  ready: boolean;
}

/** Reads the text of a `postmaster.pid`; null while it is half written. */
export function parsePostmaster(text: string): Postmaster | null {
  const lines = text.split("\n");
  const pid = Number.parseInt(lines[0] ?? "", 10);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  const port = Number.parseInt(lines[3] ?? "", 10);
  return { pid, port: Number.isInteger(port) ? port : 0, ready: (lines[7] ?? "").trim() === "ready" };
}

/** Where a data folder's server wrote down its pid. */
export const postmasterFile = (cluster: string): string => join(cluster, "postmaster.pid");

/** What the data folder says about its server; null when nothing is written there. */
export function readPostmaster(cluster: string): Postmaster | null {
  try {
    return parsePostmaster(readFileSync(postmasterFile(cluster), "utf8"));
  } catch {
    return null;
  }
}
