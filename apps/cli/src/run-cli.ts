/** One call of the command, from its words to its exit code. The process and its streams come in. */
import { randomBytes, randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { CommanderError } from "commander";
import type { Cli, Source } from "./cli.ts";
import { CliError } from "./cli-error.ts";
import { type Environment, type EnvironmentVariables, readEnvironment } from "./config.ts";
import { daemonDoor } from "./connect/daemon-door.ts";
import type { SpawnDaemon } from "./connect/spawn-daemon.ts";
import { toCliError } from "./connect/to-cli-error.ts";
import { type ExitCode, REFUSAL_EXIT } from "./exit-code.ts";
import { buildProgram, type SharedFlags, sharedFlags } from "./program/build-program.ts";
import type { Action, Call, CommandSpec } from "./program/command-spec.ts";
import { Flags } from "./program/flags.ts";
import { isHelpShown, usageFailure } from "./program/usage-failure.ts";
import { Output, type TextSink } from "./terminal/output.ts";
import { terminalFacts } from "./terminal/terminal-facts.ts";
import { uuidV7 } from "./uuid-v7.ts";

export interface CliWorld {
  /** The words after the program's name. */
  words: readonly string[];
  /** Environment variables; those of the process when absent. */
  variables?: EnvironmentVariables;
  platform: NodeJS.Platform;
  cwd: string;
  stdin: Source;
  stdout: TextSink;
  stderr: TextSink;
  now: () => number;
  /** How long to wait before something is looked at again; 1 s when absent. */
  pollMs?: number;
  spawnDaemon: SpawnDaemon;
  onInterrupt: (handle: () => void) => () => void;
}

const WINDOWS = "Code Hands runs on Linux and macOS; on Windows run it inside WSL 2.";

/** Runs one command line and gives its exit code. Whatever goes wrong is told on stderr; nothing is thrown. */
export async function runCli(world: CliWorld): Promise<ExitCode> {
  const environment = readEnvironment(world.variables, world.platform);
  const facts = {
    stdout: terminalFacts(world.stdout, environment),
    stderr: terminalFacts(world.stderr, environment),
  };
  const output = new Output({ stdout: world.stdout, stderr: world.stderr, facts });
  let json = wantsJson(world.words) ?? environment.callerIsAgent;
  try {
    if (world.platform === "win32") throw new CliError({ code: "unsupported", exitCode: 1, message: WINDOWS });
    let exitCode: ExitCode = 0;
    const start = async (action: Action, call: Call, shared: SharedFlags): Promise<void> => {
      json = shared.json ?? environment.callerIsAgent;
      exitCode = await action(makeCli({ world, environment, output, shared, json }), call);
    };
    const dispatch = async (spec: CommandSpec, call: Call, shared: SharedFlags): Promise<void> => {
      json = shared.json ?? environment.callerIsAgent;
      if (spec.decides && environment.runId !== null) throw agentMayNot(spec.path);
      await start(await spec.load(), call, shared);
    };
    await parse({ world, output, dispatch, start });
    return exitCode;
  } catch (error) {
    const failure = toCliError(error);
    output.failure(failure, json);
    return failure.exitCode;
  }
}

async function parse(o: {
  world: CliWorld;
  output: Output;
  dispatch: (spec: CommandSpec, call: Call, shared: SharedFlags) => Promise<void>;
  start: (action: Action, call: Call, shared: SharedFlags) => Promise<void>;
}): Promise<void> {
  const { world, output } = o;
  const words = plainWords(world.words);
  const program = buildProgram({
    dispatch: o.dispatch,
    now: world.now(),
    writeOut: (text) => output.dataSoon(text),
    helpWidth: output.facts.stdout.width ?? 100,
  });
  try {
    const { operands, unknown } = program.parseOptions(words);
    if (operands.length === 0 && unknown.length === 0) {
      const { home } = await import("./commands/home.ts");
      return await o.start(home, { args: [], flags: new Flags({}) }, sharedFlags(program));
    }
    await program.parseAsync(words, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError && isHelpShown(error)) return;
    throw usageFailure(error, words);
  }
}

/** `--version` is the command `version`, as people expect it. */
function plainWords(words: readonly string[]): string[] {
  const [first, ...rest] = words;
  return first === "--version" || first === "-V" ? ["version", ...rest] : [...words];
}

function wantsJson(words: readonly string[]): boolean | null {
  const end = words.indexOf("--");
  const options = end === -1 ? words : words.slice(0, end);
  if (options.includes("--json")) return true;
  return options.includes("--no-json") ? false : null;
}

function agentMayNot(path: string): CliError {
  const message = `This command runs inside an agent's run, and only a person may decide (${path}). Nothing was sent.`;
  return new CliError({ code: "agent_may_not", exitCode: REFUSAL_EXIT.agent_may_not, message });
}

function makeCli(o: {
  world: CliWorld;
  environment: Environment;
  output: Output;
  shared: SharedFlags;
  json: boolean;
}): Cli {
  const { world, environment, output, shared } = o;
  const { stderr } = output.facts;
  return {
    environment,
    cwd: world.cwd,
    repo: shared.repo === null ? null : resolve(world.cwd, shared.repo),
    json: o.json,
    quiet: shared.quiet,
    yes: shared.yes,
    canAsk: shared.input && !o.json && world.stdin.isTTY === true && stderr.tty,
    stdin: world.stdin,
    output,
    daemon: daemonDoor({
      home: environment.home,
      runId: environment.runId,
      environment: environment.forDaemon,
      spawn: world.spawnDaemon,
      onStarting: () => {
        if (stderr.tty) output.note("Starting the daemon.");
      },
    }),
    now: world.now,
    pollMs: world.pollMs ?? 1_000,
    newSessionId: () => randomUUID(),
    newCommandId: () => uuidV7(world.now(), randomBytes(10)),
    onInterrupt: world.onInterrupt,
  };
}
