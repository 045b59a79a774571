/** Prints the fake runner's events, one JSON object per line: exactly what a daemon receives. */
import { randomUUID } from "node:crypto";
import { createFakeRunner } from "../fake-runner.ts";

const runner = createFakeRunner();
const run = runner.start({
  sessionId: randomUUID(),
  repoPath: process.cwd(),
  prompt: "Fix the failing test. Run npm test to check.",
  agent: "claude-code",
});
for await (const event of run) process.stdout.write(`${JSON.stringify(event)}\n`);
