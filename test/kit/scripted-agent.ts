import { writeFileSync } from "node:fs";

const PROGRAM = new URL("../fixtures/agents/scripted-agent.mjs", import.meta.url).pathname;

/** The command of an agent that does what the steps say; the script is written to `file`. */
export function scriptedAgent(file: string, steps: unknown[]): string[] {
  writeFileSync(file, JSON.stringify(steps));
  return [process.execPath, PROGRAM, file];
}

/** The environment variable with which the daemon takes it for Claude Code. */
export function asClaude(command: string[]): Record<string, string> {
  return { CODEHANDS_AGENT_COMMAND_CLAUDE_CODE: JSON.stringify(command) };
}
