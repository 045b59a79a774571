/** What is known of an agent on this machine. */
export interface AgentFacts {
  agent: string;
  path: string | null;
  signedIn: boolean | "unknown";
}

/** The agent that can do real work here: found and signed in, or at least not known to be signed out. */
export function pickAgent(agents: readonly AgentFacts[]): string | null {
  const real = agents.filter(({ agent, path }) => agent === "claude-code" && path !== null);
  return (
    (real.find(({ signedIn }) => signedIn === true) ?? real.find(({ signedIn }) => signedIn === "unknown"))?.agent ??
    null
  );
}
