import type { AgentsPort, AgentView } from "@codehands/api";
import type { AgentKind } from "@codehands/contracts";
import type { OpenDatabase } from "../database/open-database.ts";
import { DaemonError } from "../home/daemon-error.ts";
import { STARTABLE_AGENTS } from "../settings/config-schema.ts";
import type { AskProgram } from "./ask-program.ts";
import { findProgram, fingerprintProgram } from "./find-program.ts";
import { listProviderStatus } from "./provider-rows.ts";
import { isClaudeSignedIn, isCodexSignedIn } from "./sign-in.ts";

export interface AgentsDeps {
  store: OpenDatabase;
  deviceId: string;
  version: string;
  environment: Readonly<Record<string, string>>;
  ask: AskProgram;
  /** The configured program of an agent and its words; null for the sample agent's own. */
  commandOf: (agent: AgentKind) => readonly string[] | null;
  /** The agent that the person's settings, or the repository's hints, name; null when none does. */
  configuredAgent: (repoPath: string | null) => Promise<AgentKind | null>;
}

export interface Agents extends AgentsPort {
  /** The program of an agent, or the sentence that says what to install. */
  findAgent(agent: AgentKind): Promise<{ ok: true; path: string } | { ok: false; reason: string }>;
}

const INSTALL: Partial<Record<AgentKind, string>> = {
  "claude-code": "Install it with `npm install -g @anthropic-ai/claude-code`",
  codex: "Install it with `npm install -g @openai/codex`",
};
export const NO_AGENT =
  "No coding agent was found on this machine. Install Claude Code with `npm install -g @anthropic-ai/claude-code`, or name another one with --agent. `--agent sample` works without an account and costs nothing.";

/** The agents of this device. Looking at them spends nothing: programs are asked for their version and sign-in only. */
export function createAgents(deps: AgentsDeps): Agents {
  // Asked once per file: a new version of a program is another file.
  const answers = new Map<string, Promise<string>>();

  async function versionText(command: readonly string[], path: string): Promise<string> {
    const key = `${await fingerprintProgram(path)} ${command.slice(1).join(" ")}`;
    const asked =
      answers.get(key) ?? deps.ask([path, ...command.slice(1), "--version"]).then((answer) => answer.stdout);
    answers.set(key, asked);
    return asked;
  }

  async function look(agent: (typeof STARTABLE_AGENTS)[number]): Promise<Omit<AgentView, "provider">> {
    const command = deps.commandOf(agent);
    if (agent === "sample" && command === null) {
      return { agent, path: process.execPath, version: deps.version, signedIn: true };
    }
    const path = command === null ? null : await findProgram(command[0] ?? "", deps.environment.PATH);
    if (command === null || path === null) return { agent, path: null, version: null, signedIn: "unknown" };
    const words = [path, ...command.slice(1)];
    const text = await versionText(command, path);
    const signedIn = {
      "claude-code": () =>
        isClaudeSignedIn({ command: words, versionText: text, environment: deps.environment, ask: deps.ask }),
      codex: () => isCodexSignedIn(deps.environment),
      sample: async () => true,
    };
    return { agent, path, version: /\d+\.\d+\.\d+[\w.+-]*/.exec(text)?.[0] ?? null, signedIn: await signedIn[agent]() };
  }

  const agents: Agents = {
    async list() {
      const views = await Promise.all(STARTABLE_AGENTS.map(look));
      const states = listProviderStatus(deps.store, deps.deviceId);
      return views.map((view) => {
        const state = states.find((row) => row.agent === view.agent);
        if (state === undefined) return { ...view, provider: null };
        const { retryAt, detail, at } = state;
        return { ...view, provider: { state: state.state, retryAt, detail, at } };
      });
    },

    async preferred(repoPath) {
      const configured = await deps.configuredAgent(repoPath);
      if (configured !== null) return configured;
      // Only the agent that most people have is taken unasked, and only ever within the printed default budget.
      const claude = await agents.findAgent("claude-code");
      if (claude.ok) return "claude-code";
      throw new DaemonError("not_found", NO_AGENT);
    },

    async findAgent(agent) {
      const command = deps.commandOf(agent);
      if (agent === "sample" && command === null) return { ok: true, path: process.execPath };
      const word = command?.[0];
      if (word === undefined) return { ok: false, reason: `The agent "${agent}" cannot be run by this version.` };
      const path = await findProgram(word, deps.environment.PATH);
      if (path !== null) return { ok: true, path };
      const install = INSTALL[agent] ?? "Install it";
      return {
        ok: false,
        reason: `The program ${word} of ${agent} was not found. ${install}, or set agents.${agent}.command.`,
      };
    },
  };
  return agents;
}
