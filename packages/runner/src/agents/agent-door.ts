import type { AgentKind, EndReason, EventPayloads, ProviderState, RunnerEventType } from "@codehands/contracts";

/** One call of an agent's program. */
export interface AgentInvocation {
  /** Our session id; Claude Code takes it as its own. */
  sessionId: string;
  /** The agent's own session to go on with; null at the first run. */
  resumeId: string | null;
  /** Go on with a copy of that session, so that the older one stays as it is. */
  fork?: boolean;
  prompt: string;
  model: string | null;
  phase: "plan" | "execute" | "single";
  /** What is left of the budget, US dollars. */
  remainingUsd: number;
  /** Shell commands the agent may run without asking, for example `npm test`. */
  testCommands: readonly string[];
  /** Read the repository's own agent settings too: only after the person trusted them. */
  trustRepoSettings: boolean;
  /** Notes of the repository for the agent. */
  notes: string | null;
  cwd: string;
}

/** What is spawned: the program's words after the program itself, and what goes in. */
export interface AgentCall {
  args: string[];
  /** Text for stdin (a long prompt); null means that stdin is ignored. */
  stdin: string | null;
  env: Record<string, string>;
}

/** An event without its session, number and time. */
export type MappedEvent = {
  [T in RunnerEventType]: { type: T; payload: EventPayloads[T]; raw?: unknown };
}[RunnerEventType];

/** What the output says about how the run ended. Pure data; `decideEnd` turns it into the last event. */
export interface AgentReport {
  /** The result that counts, or null when the agent printed none. */
  result: {
    isError: boolean;
    text: string;
    costUsd: number | null;
    usage: unknown;
    numTurns: number | null;
    /** Set when the agent stopped itself at its budget. */
    overBudget: boolean;
  } | null;
  /** The provider's last failure that was not followed by success. */
  provider: { state: ProviderState; retryAt?: string; detail: string } | null;
  /** A reason read from the output that is more exact than `agent_error`. */
  reason: EndReason | null;
  agentSessionId: string | null;
  denied: number;
  /** Commands and background tasks still open. */
  open: number;
}

/** Turns an agent's lines into events. Holds the little state that this needs; does no I/O. */
export interface LineMap {
  /** Never throws, whatever the line is. Lines are redacted before they come here. */
  line(text: string): MappedEvent[];
  /** A line that was too long to keep. */
  oversize(bytes: number): MappedEvent[];
  /** Closes commands that are still open. Called once, after the process has exited. */
  close(): MappedEvent[];
  report(): AgentReport;
}

/** An agent as the runner knows it: how to call it and how to read it. */
export interface AgentDoor {
  kind: AgentKind;
  /** The program, looked up in PATH unless a command is configured. */
  program: readonly string[];
  call(invocation: AgentInvocation): AgentCall;
  lineMap(context: LineMapContext): LineMap;
}

export interface LineMapContext {
  runId: string;
  phase: "plan" | "execute" | "single";
  resumed: boolean;
  model: string | null;
  /** Absolute real path of the worktree, to tell paths outside it. */
  cwd: string;
  /** The agent's reported cost when the run began (Claude's total is cumulative over resumes). */
  costBefore: number;
  testCommands: readonly string[];
}
