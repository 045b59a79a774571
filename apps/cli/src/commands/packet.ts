import { join } from "node:path";
import { readConfig, runHandover } from "@codehands/handover";
import type { Cli } from "../cli.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Action, Call } from "../program/command-spec.ts";

const VALUED = ["file", "agent", "goal", "out"] as const;

/** `codehands packet …`: the commands of handover packets, as `handover` has them. `words` are the command's own. */
export function packet(...words: readonly string[]): Action {
  return (cli, call): Promise<ExitCode> =>
    runHandover({
      words: [...words, ...packetWords(cli, call)],
      cwd: cli.repo ?? cli.cwd,
      config: packetConfig(cli),
      stdin: cli.stdin,
      now: cli.now,
      writeOut: (text) => cli.output.dataSoon(text),
      writeError: (text) => cli.output.note(text),
      name: "codehands packet",
    });
}

function packetWords(cli: Cli, { args, flags }: Call): string[] {
  const given = VALUED.flatMap((name) => {
    const value = flags.text(name);
    return value === undefined ? [] : [`--${name}=${value}`];
  });
  // Behind `--` a file may begin with a dash.
  return [...given, ...(cli.json ? ["--json"] : []), "--", ...args];
}

/** Inside of an agent's run the packet lies beside the worktree: in it, it would be part of the change. */
function packetConfig(cli: Pick<Cli, "environment">) {
  const { forDaemon, home, runId } = cli.environment;
  const config = readConfig(forDaemon);
  if (config.packet !== null || runId === null || !/^[\w-]{1,100}$/.test(runId)) return config;
  return { ...config, packet: join(home, "handovers", runId, "packet.json") };
}
