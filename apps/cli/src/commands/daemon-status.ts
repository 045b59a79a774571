import type { Cli } from "../cli.ts";
import { daemonStatusOf } from "../connect/daemon-status.ts";
import type { Found } from "../connect/find-daemon.ts";
import type { ExitCode } from "../exit-code.ts";
import { renderDaemonStatus } from "../render/daemon-lines.ts";

/** `codehands daemon status`: one shape, whether the daemon runs or not; it starts none. */
export async function daemonStatus(cli: Cli): Promise<ExitCode> {
  await tellDaemon(cli, await cli.daemon.find());
  return 0;
}

/** Answers every `daemon` command: the status as JSON, the process id, or words. */
export async function tellDaemon(cli: Cli, found: Found): Promise<void> {
  const status = await daemonStatusOf(found, cli.environment.home);
  if (cli.json) return cli.output.json(status);
  if (cli.quiet) return cli.output.data(status.pid === null ? "" : `${status.pid}\n`);
  await cli.output.data(renderDaemonStatus(status, { facts: cli.output.facts.stdout }));
}
