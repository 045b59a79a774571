import { ApiError, createLocalClient, type LocalClient, proveDaemon } from "@codehands/api/client";
import { type DaemonFile, homePaths } from "@codehands/contracts";
import { readDaemonFile } from "./read-daemon-file.ts";

/** A daemon that has proved to be ours. */
export interface Daemon {
  file: DaemonFile;
  url: string;
  client: LocalClient;
}

export type Found =
  | { state: "running"; daemon: Daemon }
  /** No `daemon.json`. */
  | { state: "absent" }
  /** A file, but nobody of ours listens there. */
  | { state: "silent"; file: DaemonFile; why: string }
  /** Ours, but of another protocol. */
  | { state: "version"; file: DaemonFile; why: string };

export interface Whereabouts {
  home: string;
  runId: string | null;
  fetch?: typeof fetch;
}

/** Looks for a running daemon. The token is not sent to a program that cannot prove that it knows it. */
export async function findDaemon(where: Whereabouts): Promise<Found> {
  const file = readDaemonFile(homePaths(where.home).daemonFile);
  if (file === null) return { state: "absent" };
  const url = `http://127.0.0.1:${file.port}`;
  const connection = { url, token: file.token, runId: where.runId, ...(where.fetch && { fetch: where.fetch }) };
  try {
    await proveDaemon(connection);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const state = error instanceof ApiError && error.code === "version" ? "version" : "silent";
    return { state, file, why };
  }
  return { state: "running", daemon: { file, url, client: createLocalClient(connection) } };
}
