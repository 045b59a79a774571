import type { Cli } from "../cli.ts";
import type { ExitCode } from "../exit-code.ts";
import { tellDaemon } from "./daemon-status.ts";

/** `codehands daemon stop`: ends the daemon; agents go on and are picked up at its next start. */
export async function daemonStop(cli: Cli): Promise<ExitCode> {
  const { wasRunning, pid } = await cli.daemon.stop();
  if (!cli.json && !cli.quiet) {
    cli.output.note(wasRunning ? `Stopped the daemon (pid ${pid}). Agents go on.` : "The daemon was not running.");
  }
  await tellDaemon(cli, { state: "absent" });
  return 0;
}
