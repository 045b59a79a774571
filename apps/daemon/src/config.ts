import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { type AgentKind, type HomePaths, homePaths } from "@codehands/contracts";
import * as z from "zod";
import { type ConfigFile, parseConfig, STARTABLE_AGENTS } from "./settings/config-schema.ts";

/** Kills the daemon at the n-th visit of a named point. */
export interface CrashOrder {
  name: string;
  nth: number;
}

/** Everything the daemon takes from outside at its start. */
export interface DaemonConfig {
  paths: HomePaths;
  /** What `config.json` said at the start. Settings that may change while the daemon runs are read again. */
  file: ConfigFile;
  /** Programs of agents named in the environment; they win over the file. */
  agentCommands: Partial<Record<AgentKind, readonly string[]>>;
  /** Null outside of tests. */
  crash: CrashOrder | null;
  /** Where the visited crash points are written; null outside of tests. */
  crashLog: string | null;
  /** The environment the daemon was started with, for the programs it looks for and starts. */
  environment: Readonly<Record<string, string>>;
}

export type ConfigReading = { ok: true; config: DaemonConfig } | { ok: false; problems: string[] };

const command = z.array(z.string().min(1)).min(1);

/** Reads environment and `config.json`; names everything that is wrong at once. Changes nothing. */
export function readDaemonConfig(environment: NodeJS.ProcessEnv = process.env): ConfigReading {
  const problems: string[] = [];
  const paths = homePaths(homeOf(environment, problems));
  const file = readFile(paths.config, problems);
  const agentCommands = commandsOf(environment, problems);
  const crash = crashOf(environment, problems);
  if (problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    config: {
      paths,
      file,
      agentCommands,
      crash,
      crashLog: crashLogOf(environment),
      environment: definedOf(environment),
    },
  };
}

function homeOf(environment: NodeJS.ProcessEnv, problems: string[]): string {
  const wished = environment.CODEHANDS_HOME;
  if (wished === undefined || wished === "") return resolve(environment.HOME || homedir(), ".codehands");
  if (!wished.startsWith("/")) problems.push(`CODEHANDS_HOME must be an absolute path, not ${wished}.`);
  return resolve(wished);
}

function readFile(path: string, problems: string[]): ConfigFile {
  let source: string;
  try {
    source = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") {
      problems.push(`${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}).`);
    }
    return {};
  }
  const parsed = parseConfig(source);
  if (parsed.ok) return parsed.config;
  problems.push(...parsed.problems.map((problem) => `${path}: ${problem}.`));
  return {};
}

function commandsOf(environment: NodeJS.ProcessEnv, problems: string[]): DaemonConfig["agentCommands"] {
  const commands: Partial<Record<AgentKind, readonly string[]>> = {};
  for (const agent of STARTABLE_AGENTS) {
    const name = `CODEHANDS_AGENT_COMMAND_${agent.replaceAll("-", "_").toUpperCase()}`;
    const value = environment[name];
    if (value === undefined || value === "") continue;
    const parsed = command.safeParse(jsonOf(value));
    if (parsed.success) commands[agent] = parsed.data;
    else problems.push(`${name} must be a JSON list of texts, for example ["/opt/claude/bin/claude"].`);
  }
  return commands;
}

function crashOf(environment: NodeJS.ProcessEnv, problems: string[]): CrashOrder | null {
  const order = environment.CODEHANDS_CRASH;
  if (order === undefined || order === "" || environment.CODEHANDS_TEST !== "1") return null;
  const match = /^([a-z0-9.-]+):([1-9]\d*)$/.exec(order);
  if (match === null) {
    problems.push("CODEHANDS_CRASH must read <name>:<nth>, for example approve.after-write-tree:1.");
    return null;
  }
  return { name: match[1] ?? "", nth: Number(match[2]) };
}

function crashLogOf(environment: NodeJS.ProcessEnv): string | null {
  return (environment.CODEHANDS_TEST === "1" && environment.CODEHANDS_CRASH_LOG) || null;
}

function definedOf(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function jsonOf(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return null;
  }
}
