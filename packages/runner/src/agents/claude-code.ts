import { RunnerError } from "../runner-error.ts";
import type { AgentCall, AgentDoor, AgentInvocation } from "./agent-door.ts";
import { claudeLines } from "./claude-code-lines.ts";
import { isSessionName } from "./session-name.ts";

const DEFAULT_TESTS = ["npm test"];

/** Claude Code, called without a screen. Its prompt goes in by stdin, so the process list never shows it. */
export const claudeCode: AgentDoor = {
  kind: "claude-code",
  program: ["claude"],
  call: claudeCall,
  lineMap: claudeLines,
};

/**
 * The words of one call. acceptEdits with no bare file tool in the allow list: a bare `Read` or `Write` would open
 * every file of the person's account, without it the agent may read and write inside its worktree only.
 */
function claudeCall(invocation: AgentInvocation): AgentCall {
  const { model, phase, remainingUsd, trustRepoSettings, notes, prompt } = invocation;
  return {
    args: [
      ...["-p", "--output-format", "stream-json", "--verbose"],
      ...sessionWords(invocation),
      ...(model === null ? [] : ["--model", model]),
      ...["--permission-mode", phase === "plan" ? "plan" : "acceptEdits"],
      ...["--allowedTools", ...allowRules(invocation.testCommands)],
      ...["--max-budget-usd", dollars(remainingUsd)],
      "--strict-mcp-config",
      // A repository's own settings hold hooks that run unasked.
      ...["--setting-sources", trustRepoSettings ? "user,project,local" : "user"],
      ...(notes === null || notes.trim() === "" ? [] : ["--append-system-prompt", notesText(notes)]),
    ],
    stdin: prompt,
    env: { DISABLE_AUTOUPDATER: "1" },
  };
}

function sessionWords({ sessionId, resumeId, fork }: AgentInvocation): string[] {
  if (resumeId === null) return ["--session-id", sessionId];
  if (!isSessionName(resumeId)) {
    throw new RunnerError(
      "cannot_resume",
      "The agent's own session has no usable name, so it cannot be resumed. Retry instead.",
    );
  }
  return fork === true ? ["--resume", resumeId, "--fork-session", "--session-id", sessionId] : ["--resume", resumeId];
}

/** One rule per test command; the exact words are allowed, with pipes and `&&` to harmless commands behind them. */
function allowRules(testCommands: readonly string[]): string[] {
  const commands = testCommands.map((command) => command.trim()).filter((command) => command !== "");
  return (commands.length === 0 ? DEFAULT_TESTS : commands).map((command) => `Bash(${command})`);
}

/** Rounded down to a hundredth of a cent, never 0: that is no budget to the program. */
const dollars = (amount: number): string => Math.max(0.0001, Math.floor(amount * 10_000) / 10_000).toString();

const notesText = (notes: string): string => `Notes about this repository, written by its owner:\n\n${notes.trim()}`;
