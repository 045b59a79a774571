import type { Cli } from "../cli.ts";
import type { ExitCode } from "../exit-code.ts";
import { readVersion } from "../read-version.ts";

/** `codehands version`. */
export async function version(cli: Pick<Cli, "json" | "output">): Promise<ExitCode> {
  const own = readVersion();
  if (cli.json) await cli.output.json({ version: own, node: process.versions.node });
  else await cli.output.data(`${own}\n`);
  return 0;
}
