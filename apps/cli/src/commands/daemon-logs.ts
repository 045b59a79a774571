import { readFileSync } from "node:fs";
import { homePaths } from "@codehands/contracts";
import type { Cli } from "../cli.ts";
import { CliError } from "../cli-error.ts";
import { START_LOG } from "../connect/spawn-daemon.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Call } from "../program/command-spec.ts";
import { stripControls } from "../terminal/strip-controls.ts";

/** `codehands daemon logs`: the end of the daemon's log, after what it said at its start. It starts no daemon. */
export async function daemonLogs(cli: Cli, { flags }: Call): Promise<ExitCode> {
  const { logs } = homePaths(cli.environment.home);
  const files = [START_LOG, "daemon.log"].map((name) => linesOf(`${logs}/${name}`));
  if (files.every((lines) => lines === null)) {
    const message = `There is no log yet in ${logs}.`;
    throw new CliError({ code: "not_found", exitCode: 3, message, hint: "codehands daemon start" });
  }
  const lines = files.flatMap((one) => one ?? []).slice(-(flags.number("lines") ?? 100));
  const text = lines.map((line) => `${line}\n`).join("");
  await cli.output.data(cli.output.facts.stdout.tty ? stripControls(text) : text);
  return 0;
}

function linesOf(path: string): string[] | null {
  try {
    return readFileSync(path, "utf8").split("\n").filter(Boolean);
  } catch {
    return null;
  }
}
