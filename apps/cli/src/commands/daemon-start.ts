import type { Cli } from "../cli.ts";
import type { ExitCode } from "../exit-code.ts";
import { tellDaemon } from "./daemon-status.ts";

/** `codehands daemon start`: starts the daemon unless it runs. */
export async function daemonStart(cli: Cli): Promise<ExitCode> {
  const daemon = await cli.daemon.open();
  await tellDaemon(cli, { state: "running", daemon });
  return 0;
}
