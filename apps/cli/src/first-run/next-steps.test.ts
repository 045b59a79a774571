import { expect, test } from "vitest";
import { nextSteps } from "./next-steps.ts";
import { pickAgent } from "./pick-agent.ts";

const claude = (signedIn: boolean | "unknown", path: string | null = "/usr/bin/claude") => ({
  agent: "claude-code",
  path,
  signedIn,
});
const sample = { agent: "sample", path: "/usr/bin/node", signedIn: true };

test("the agent offered for real work is found and not signed out; the sample agent is never it", () => {
  expect(pickAgent([sample, claude(true)])).toBe("claude-code");
  expect(pickAgent([sample, claude("unknown")])).toBe("claude-code");
  expect(pickAgent([sample, claude(false)])).toBeNull();
  expect(pickAgent([sample, claude(true, null)])).toBeNull();
});

test("the one command that runs the same task for real is whole", () => {
  const text = nextSteps({ agents: [claude(true)], repo: "/home/me/sample", program: "/opt/codehands/main.js" });
  expect(text).toContain(
    'codehands run "Fix the failing test. Run npm test to check." -C /home/me/sample --agent claude-code',
  );
  expect(text).toContain("at most $0.50");
  expect(text).toContain("alias codehands='node /opt/codehands/main.js'");
});

test("without a signed-in agent it says how to get one", () => {
  const text = nextSteps({ agents: [sample], repo: "/home/me/sample", program: "/opt/codehands/main.js" });
  expect(text).toContain("npm install -g @anthropic-ai/claude-code && claude");
  expect(text).toContain("--agent claude-code");
});
