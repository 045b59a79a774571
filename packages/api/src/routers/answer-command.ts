import { agentMayNotAnswer } from "../agent-may-not.ts";
import { faultOf } from "../error-codes.ts";
import { explainDoubt } from "../explain-doubt.ts";
import type { LocalPorts } from "../ports.ts";
import type { CommandAnswer } from "../schemas/command.ts";

/** A command on its way to its port. */
export interface Carrying {
  ports: Pick<LocalPorts, "sessions">;
  /** Null for a command about the device itself. */
  sessionId: string | null;
  /** Why the caller may not; null when it may. */
  refusal?: string | null;
}

/**
 * The answer to a command. That nobody knows whether it ran is one too: a port throws `command_failed` for a command that
 * met a fault on its way, and for its sender that is no different from an owner that went away.
 */
export async function answerCommand(
  { ports, sessionId, refusal = null }: Carrying,
  act: () => Promise<CommandAnswer>,
): Promise<CommandAnswer> {
  if (refusal !== null) return agentMayNotAnswer(refusal);
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Error) || faultOf(error) !== "command_failed") throw error;
    // It is known all the same that the command is in doubt.
    const session = sessionId === null ? null : await ports.sessions.get(sessionId).catch(() => null);
    const next = sessionId === null ? "ls" : "show";
    return { ok: false, code: "in_doubt", reason: explainDoubt(error.message), next, session };
  }
}
