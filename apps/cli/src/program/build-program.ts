import { Command, Option } from "commander";
import { usageError } from "../cli-error.ts";
import { ALL_COMMANDS } from "./all-commands.ts";
import type { Call, CommandSpec } from "./command-spec.ts";
import { Flags } from "./flags.ts";

/** What every command takes. */
export interface SharedFlags {
  /** Null when the person did not say. */
  json: boolean | null;
  quiet: boolean;
  yes: boolean;
  input: boolean;
  repo: string | null;
}

export type Dispatch = (spec: CommandSpec, call: Call, shared: SharedFlags) => Promise<void>;

export interface ProgramOptions {
  dispatch: Dispatch;
  now: number;
  writeOut: (text: string) => void;
  helpWidth: number;
}

const GROUPS: Readonly<Record<string, string>> = {
  daemon: "the background program that runs the agents",
  repos: "repositories, and whether their settings are trusted",
  config: "your settings",
  devices: "the devices of the account",
  sync: "the exchange with the cloud",
  packet: "what an agent knows of a task, for the next one",
};

/** Builds commander's tree from the list of commands. Errors are thrown, nothing exits. */
export function buildProgram(o: ProgramOptions): Command {
  const program = addShared(prepare(new Command("codehands"), o))
    .description("Run coding agents in private worktrees, review what they did, approve or reject it.")
    .addHelpText("after", "\nMore: codehands help <command>, codehands help exit-codes|environment|security");
  const groups = new Map<string, Command>();
  for (const spec of ALL_COMMANDS) {
    const [first = "", second] = spec.path.split(" ");
    let parent = program;
    if (second !== undefined) {
      parent = groups.get(first) ?? addShared(prepare(program.command(first), o)).description(GROUPS[first] ?? "");
      parent.helpGroup(spec.group);
      groups.set(first, parent);
    }
    const command = prepare(parent.command(second ?? first), o).description(spec.about);
    if (second === undefined) {
      command.helpGroup(spec.group);
      // `pair` does something by itself, and has `pair approve` below it.
      groups.set(first, command);
    }
    declare(command, spec, o);
  }
  return program;
}

function prepare(command: Command, o: ProgramOptions): Command {
  return command
    .exitOverride()
    .enablePositionalOptions()
    .helpCommand(false)
    .allowExcessArguments(false)
    .configureHelp({ helpWidth: o.helpWidth })
    .configureOutput({ writeOut: o.writeOut, writeErr: () => undefined, outputError: () => undefined });
}

function addShared(command: Command): Command {
  const hide = command.parent !== null;
  const options = [
    new Option("--json", "answer in JSON"),
    new Option("--no-json", "answer in words although an agent calls"),
    new Option("-q, --quiet", "print ids only"),
    new Option("-y, --yes", "answer every question with yes"),
    new Option("--no-input", "ask nothing"),
    new Option("-C, --repo <dir>", "work in the repository of this folder"),
  ];
  for (const option of options) command.addOption(hide && option.long === "--no-json" ? option.hideHelp() : option);
  return command;
}

function declare(command: Command, spec: CommandSpec, o: ProgramOptions): void {
  if (spec.args !== undefined) command.arguments(spec.args);
  for (const flag of spec.flags ?? []) {
    const option = new Option(flag.flags, flag.about);
    if (flag.parse !== undefined) option.argParser(flag.parse(o.now));
    command.addOption(option);
  }
  addShared(command);
  command.action(async (...given: unknown[]) => {
    const words = given.slice(0, -2).flat();
    const args = words.filter((word): word is string => typeof word === "string");
    await o.dispatch(spec, { args, flags: new Flags(ownOptions(command)) }, sharedFlags(command));
  });
}

/**
 * The options of a command, those included that stood before its second word (`serve --data-dir d password`). Throws a
 * usage error for one that the first word alone takes: it would mean nothing.
 */
function ownOptions(command: Command): Record<string, unknown> {
  const options: Record<string, unknown> = { ...command.opts<Record<string, unknown>>() };
  const known = new Set(command.options.map((option) => option.attributeName()));
  const { parent } = command;
  for (const option of parent?.options ?? []) {
    const name = option.attributeName();
    if (parent?.getOptionValueSource(name) !== "cli") continue;
    if (!known.has(name)) throw usageError(`${option.long ?? name} is no option of ${pathOf(command)}.`);
    if (command.getOptionValueSource(name) !== "cli") options[name] = parent.getOptionValue(name);
  }
  return options;
}

const pathOf = (command: Command): string => `'${command.parent?.name() ?? ""} ${command.name()}'`;

/** The shared options, wherever they stood: before the command, between its words or after it. */
export function sharedFlags(command: Command): SharedFlags {
  const shared: SharedFlags = { json: null, quiet: false, yes: false, input: true, repo: null };
  for (let at: Command | null = command; at !== null; at = at.parent) {
    const own = at.opts<Record<string, unknown>>();
    if (shared.json === null && typeof own.json === "boolean" && at.getOptionValueSource("json") === "cli") {
      shared.json = own.json;
    }
    if (own.quiet === true) shared.quiet = true;
    if (own.yes === true) shared.yes = true;
    if (own.input === false) shared.input = false;
    if (shared.repo === null && typeof own.repo === "string") shared.repo = own.repo;
  }
  return shared;
}
