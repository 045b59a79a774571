import type { AgentKind } from "@codehands/contracts";
import type { AgentDoor } from "./agent-door.ts";
import { claudeCode } from "./claude-code.ts";
import { sampleAgent } from "./sample-agent.ts";

const DOORS: Readonly<Record<AgentKind, AgentDoor | null>> = {
  "claude-code": claudeCode,
  sample: sampleAgent,
  codex: null,
  air: null,
};

/** The door of an agent; null for one that this version cannot run. */
export function agentDoor(kind: AgentKind): AgentDoor | null {
  return Object.hasOwn(DOORS, kind) ? DOORS[kind] : null;
}
