import type { CleanInput } from "@codehands/api";
import type { Cli } from "../cli.ts";
import { CliError } from "../cli-error.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Call } from "../program/command-spec.ts";
import { removesAnything, renderClean } from "../render/clean-lines.ts";
import { sendCommand } from "../sessions/send-command.ts";
import { askYes } from "../terminal/ask.ts";

/** `codehands clean`: removes what is no longer needed; a person sees the list before and is asked. */
export async function clean(cli: Cli, { flags }: Call): Promise<ExitCode> {
  const staleDays = flags.number("stale");
  const wish = {
    ...(staleDays !== undefined && { staleDays }),
    ...(flags.on("orphans") && { orphans: true }),
  };
  if (flags.on("dryRun")) {
    await tell(cli, await send(cli, { ...wish, dryRun: true }), true);
    return 0;
  }
  if (cli.canAsk && !cli.yes) {
    const plan = await send(cli, { ...wish, dryRun: true });
    cli.output.note(renderClean(plan, true));
    if (!removesAnything(plan)) return 0;
    if (!(await askYes(cli, "Remove this?"))) {
      throw new CliError({ code: "declined", exitCode: 10, message: "Nothing was removed: you said no." });
    }
  }
  await tell(cli, await send(cli, wish), false);
  return 0;
}

async function send(cli: Cli, wish: Omit<CleanInput, "commandId">): Promise<Readonly<Record<string, unknown>>> {
  const input = { commandId: cli.newCommandId(), ...wish };
  const answer = await sendCommand(cli, { ...input, name: null }, (client) => client.sessions.clean.mutate(input));
  return answer.result ?? {};
}

async function tell(cli: Cli, result: Readonly<Record<string, unknown>>, dryRun: boolean): Promise<void> {
  if (cli.json) return cli.output.json(result);
  await cli.output.data(renderClean(result, dryRun));
}
