import type { Cli } from "../cli.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Flags } from "./flags.ts";
import type { ParseValue } from "./parse-value.ts";

export interface Call {
  args: readonly string[];
  flags: Flags;
}

/** What a command does. It throws a CliError when it cannot. */
export type Action = (cli: Cli, call: Call) => Promise<ExitCode>;

export interface FlagSpec {
  /** As commander writes it: `-n, --lines <n>`. */
  flags: string;
  about: string;
  /** Turns the word into a value; `now` is the time of the call in milliseconds. */
  parse?: (now: number) => ParseValue;
  /** The words it takes, for completion. */
  words?: readonly string[];
}

export interface CommandSpec {
  /** One or two words: `run`, `daemon start`. */
  path: string;
  /** As commander writes it: `<session> [prompt]`. */
  args?: string;
  about: string;
  /** The heading it stands under in the help. */
  group: string;
  flags?: readonly FlagSpec[];
  /** The words its argument takes, for completion; `sessions` and `devices` for the ids of those. */
  completes?: readonly string[] | "sessions" | "devices";
  /** A person decides here: refused inside an agent's run. */
  decides?: true;
  load: () => Promise<Action>;
}
