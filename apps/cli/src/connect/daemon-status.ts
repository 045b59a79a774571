import { homePaths } from "@codehands/contracts";
import type { DaemonStatus } from "../render/daemon-lines.ts";
import type { Found } from "./find-daemon.ts";

/** How the daemon is. Asks a running one for its counts, and starts none. */
export async function daemonStatusOf(found: Found, home: string): Promise<DaemonStatus> {
  const { logs } = homePaths(home);
  const none = { pid: null, url: null, version: null, protocol: null, startedAt: null, sessions: null };
  if (found.state === "absent") return { running: false, ...none, home, logs, problem: null };
  if (found.state === "silent") return { running: false, ...none, home, logs, problem: found.why };
  const { file } = found.state === "running" ? found.daemon : found;
  const { pid, version, protocol, startedAt } = file;
  const known = { running: true, pid, url: `http://127.0.0.1:${file.port}`, version, protocol, startedAt, home, logs };
  if (found.state === "version") return { ...known, sessions: null, problem: found.why };
  const { running, queued, waiting } = await found.daemon.client.health.health.query();
  return { ...known, sessions: { running, queued, waiting }, problem: null };
}
