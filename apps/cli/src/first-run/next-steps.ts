import type { AgentFacts } from "./pick-agent.ts";
import { pickAgent } from "./pick-agent.ts";
import { SAMPLE_PROMPT } from "./sample-task.ts";

export interface NextStepsOptions {
  agents: readonly AgentFacts[];
  /** The sample repository, as a person would type it. */
  repo: string;
  /** The built command's file. */
  program: string;
}

/** What to do after a first run: look at it, decide, run the same task for real, work on an own repository. */
export function nextSteps({ agents, repo, program }: NextStepsOptions): string {
  const found = pickAgent(agents);
  const real =
    found === null
      ? [
          "No signed-in agent was found. Install Claude Code and sign in once, then run the same task for real:",
          "  npm install -g @anthropic-ai/claude-code && claude",
          `  ${sameTask("claude-code", repo)}`,
        ]
      : [`The same task with ${found} (its model costs money, at most $0.50):`, `  ${sameTask(found, repo)}`];
  return [
    "In this terminal the command is:",
    `  alias codehands='node ${program}'`,
    "",
    ...real,
    "",
    "Your own repository:",
    '  cd your-repo && codehands run "what you want done"',
    "",
  ].join("\n");
}

function sameTask(agent: string, repo: string): string {
  return `codehands run "${SAMPLE_PROMPT}" -C ${repo} --agent ${agent}`;
}
