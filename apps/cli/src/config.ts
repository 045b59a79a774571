/** The only place that reads the environment, and the words that explain it. */
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { TerminalWishes } from "./terminal/terminal-facts.ts";

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** What the command takes from its environment. */
export interface Environment extends TerminalWishes {
  /** Our own folder, absolute. */
  home: string;
  /** The run that this process descends from; null for a person. */
  runId: string | null;
  /** True when a coding agent calls us, so that JSON is the natural answer. */
  callerIsAgent: boolean;
  /** The environment that a started daemon gets: ours without the marks of an agent's run. */
  forDaemon: Record<string, string>;
}

const AGENT_MARKS = ["CLAUDECODE", "CODEX_CLI", "CODEX_SANDBOX", "GEMINI_CLI", "CURSOR_AGENT", "OPENCODE", "AI_AGENT"];

/** The environment variables that a person may set, for `codehands help environment`. */
export const ENVIRONMENT_HELP: readonly (readonly [string, string])[] = [
  ["CODEHANDS_HOME", "the folder for everything Code Hands keeps (default ~/.codehands)"],
  ["CODEHANDS_AGENT_COMMAND_CLAUDE_CODE", "the program for claude-code, as a JSON array; read when the daemon starts"],
  ["CODEHANDS_AGENT_COMMAND_CODEX", "the program for codex, as a JSON array; read when the daemon starts"],
  ["CODEHANDS_RUN_ID", "set inside an agent's run: commands that decide are refused there"],
  ["NO_COLOR", "no colours when set to anything"],
  ["FORCE_COLOR", "colours even in a pipe; 0 for none"],
  ["LC_ALL, LC_CTYPE, LANG", "plain ASCII icons unless one names UTF-8"],
  ["CI", "set in continuous integration: JSON is then not the default for agents"],
  [AGENT_MARKS.join(", "), "set by coding agents: JSON is then the default answer"],
];

const isOn = (value: string | undefined): boolean => value !== undefined && value !== "" && value !== "0";

/** Reads what the command needs from environment variables. */
export function readEnvironment(
  variables: EnvironmentVariables = process.env,
  platform: NodeJS.Platform = process.platform,
): Environment {
  const homeFolder = variables.HOME ?? homedir();
  const forceColor = variables.FORCE_COLOR;
  const locale = variables.LC_ALL || variables.LC_CTYPE || variables.LANG || "";
  const forDaemon: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) {
    if (value !== undefined && name !== "CODEHANDS_RUN_ID" && !AGENT_MARKS.includes(name)) forDaemon[name] = value;
  }
  const home = resolve(variables.CODEHANDS_HOME || `${homeFolder}/.codehands`);
  forDaemon.CODEHANDS_HOME = home;
  return {
    home,
    homeFolder,
    runId: variables.CODEHANDS_RUN_ID || null,
    callerIsAgent: AGENT_MARKS.some((name) => isOn(variables[name])) && !isOn(variables.CI),
    noColor: variables.NO_COLOR !== undefined && variables.NO_COLOR !== "",
    forceColor: forceColor === undefined ? null : forceColor !== "0" && forceColor !== "false",
    term: variables.TERM ?? "",
    utf8: locale === "" ? platform === "darwin" : /utf-?8/i.test(locale),
    forDaemon,
  };
}
