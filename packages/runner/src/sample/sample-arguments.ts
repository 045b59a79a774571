import { parseArgs } from "node:util";

export interface SampleArguments {
  sessionId: string;
  resumed: boolean;
  plan: boolean;
  /** Wait between two lines, milliseconds. */
  paceMs: number;
}

/** Reads the words the sample agent was called with; a sentence when they make no sense. */
export function sampleArguments(words: readonly string[]): SampleArguments | string {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        "session-id": { type: "string" },
        resume: { type: "string" },
        "permission-mode": { type: "string", default: "acceptEdits" },
        pace: { type: "string", default: "220" },
      },
    });
    const sessionId = values.resume ?? values["session-id"];
    const paceMs = Number(values.pace);
    if (sessionId === undefined) return "Name a session: --session-id ID, or --resume ID.";
    if (!Number.isFinite(paceMs) || paceMs < 0) return "--pace is a number of milliseconds.";
    return { sessionId, resumed: values.resume !== undefined, plan: values["permission-mode"] === "plan", paceMs };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
