import type { UsageQuery } from "@codehands/api";
import type { Cli } from "../cli.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Call } from "../program/command-spec.ts";
import { renderUsage } from "../render/usage-table.ts";

const WAYS = ["day", "agent", "repo", "device"] as const;

/** `codehands usage`: what the agents used and cost. */
export async function usage(cli: Cli, { flags }: Call): Promise<ExitCode> {
  const since = flags.text("since");
  const by = WAYS.find((way) => way === flags.text("by")) ?? "day";
  const query: UsageQuery = { by, ...(since !== undefined && { since }) };
  const client = await cli.daemon.client();
  const report = await client.usage.report.query(query);
  if (cli.json) await cli.output.json(report);
  else if (cli.quiet) await cli.output.data(report.rows.map((row) => `${row.key}\n`).join(""));
  else await cli.output.data(renderUsage(report, cli.output.facts.stdout));
  return 0;
}
