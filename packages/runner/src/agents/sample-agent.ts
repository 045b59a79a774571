import { fileURLToPath } from "node:url";
import type { AgentCall, AgentDoor, AgentInvocation, LineMapContext } from "./agent-door.ts";
import { claudeLines } from "./claude-code-lines.ts";

// The program is plain JavaScript in dist also while our own sources run as TypeScript.
const PROGRAM = import.meta.url.endsWith(".ts") ? "../../dist/sample/main.js" : "../sample/main.js";

/** Our own sample agent: works for real on the sample repository, needs no key, costs nothing. */
export const sampleAgent: AgentDoor = {
  kind: "sample",
  program: [process.execPath, fileURLToPath(new URL(PROGRAM, import.meta.url))],
  call: sampleCall,
  lineMap: (context: LineMapContext) => claudeLines(context, "sample"),
};

function sampleCall({ sessionId, resumeId, phase, prompt }: AgentInvocation): AgentCall {
  const session = resumeId === null ? ["--session-id", sessionId] : ["--resume", resumeId];
  return { args: [...session, "--permission-mode", phase === "plan" ? "plan" : "acceptEdits"], stdin: prompt, env: {} };
}
