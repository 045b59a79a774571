import type { AgentView, CheckView } from "@codehands/api";
import { found } from "./check.ts";

const LOGIN: Record<string, string> = { "claude-code": "claude auth login", codex: "codex login" };
const INSTALL: Record<string, string> = {
  "claude-code": "npm install -g @anthropic-ai/claude-code",
  codex: "npm install -g @openai/codex",
};

/** One line per agent: found, which version, signed in. Only an agent that is wished for can be missing. */
export function checkAgents(agents: readonly AgentView[], wished: string | null): CheckView[] {
  return agents.map((agent) => checkAgent(agent, wished ?? "claude-code"));
}

function checkAgent({ agent, path, version, signedIn, provider }: AgentView, wished: string): CheckView {
  const id = `agent.${agent}`;
  const name = `${version ?? "unknown version"} at ${path ?? ""}`;
  if (path === null) {
    return agent === wished
      ? found.warn([id, agent], "not found", INSTALL[agent] ?? `set agents.${agent}.command`)
      : found.ok([id, agent], "not installed (not needed)");
  }
  if (signedIn === false) return found.warn([id, agent], `${name}, not signed in`, LOGIN[agent] ?? "sign in");
  if (provider !== null && provider.state !== "ok") {
    const until = provider.retryAt === null ? "" : ` until ${provider.retryAt}`;
    const detail = `${name}; at ${provider.at} its provider said ${provider.state}${until}: ${provider.detail}`;
    return found.warn(
      [id, agent],
      detail,
      provider.state === "auth_expired" ? (LOGIN[agent] ?? "sign in") : "wait, or use another agent",
    );
  }
  if (agent === "sample") return found.ok([id, agent], "ready; costs nothing");
  return found.ok([id, agent], `${name}, ${signedIn === true ? "signed in" : "cannot tell whether it is signed in"}`);
}
