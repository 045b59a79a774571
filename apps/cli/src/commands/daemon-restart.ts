import type { Cli } from "../cli.ts";
import type { ExitCode } from "../exit-code.ts";
import { tellDaemon } from "./daemon-status.ts";

/** `codehands daemon restart`: ends the running daemon, of whatever version, and starts the installed one. */
export async function daemonRestart(cli: Cli): Promise<ExitCode> {
  await cli.daemon.stop();
  const daemon = await cli.daemon.open();
  await tellDaemon(cli, { state: "running", daemon });
  return 0;
}
