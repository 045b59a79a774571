import type { Cli } from "../cli.ts";
import { CliError } from "../cli-error.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Call } from "../program/command-spec.ts";
import { configValue } from "../render/config-lines.ts";

const LIST_KEYS = /^(testCommands|agents\.[a-z-]+\.(command|env))$/;
const NUMBER_KEYS = /^(budgetUsd|concurrency|idleMinutes|wallMinutes|trash\.days|port)$/;
const SWITCH_KEYS = /^sync\.compress$/;

/** `codehands config set`: writes the person's own config file. */
export async function configSet(cli: Cli, { args }: Call): Promise<ExitCode> {
  const [key = "", ...words] = args;
  const client = await cli.daemon.client();
  const answer = await client.settings.set.mutate({ key, value: settingValue(key, words) });
  if (!answer.ok) {
    throw new CliError({ code: "bad_config", exitCode: 2, message: answer.reason, hint: "codehands config list" });
  }
  if (cli.json) await cli.output.json(answer.entry);
  else await cli.output.data(cli.quiet ? `${key}\n` : `${answer.entry.key} = ${configValue(answer.entry.value)}\n`);
  return 0;
}

/** The words of a value as what the key holds: a list, a number, true or false, or text. Whether it is right the daemon decides. */
export function settingValue(key: string, words: readonly string[]): unknown {
  const [first = "", ...rest] = words;
  if (LIST_KEYS.test(key)) return rest.length === 0 && first.startsWith("[") ? parsed(first) : [...words];
  if (rest.length > 0) return [...words];
  if (SWITCH_KEYS.test(key) && (first === "true" || first === "false")) return first === "true";
  return NUMBER_KEYS.test(key) && /^-?\d+(\.\d+)?$/.test(first) ? Number(first) : first;
}

function parsed(word: string): unknown {
  try {
    return JSON.parse(word);
  } catch {
    return [word];
  }
}
