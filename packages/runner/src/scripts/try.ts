/**
 * One run through the real runner, without a daemon: a line per event, the diff stat, then approve, reject or keep.
 *
 *   pnpm try [repoPath] [prompt] [--agent claude-code|sample] [--approve | --reject]
 *
 * With `--agent claude-code` it costs money, at most $0.50. Without a repository it makes the sample repository.
 */
import { randomUUID } from "node:crypto";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { AGENT_KINDS, type AgentKind } from "@codehands/contracts";
import { createRunner } from "../runner.ts";
import { makeSampleRepo } from "../sample/make-sample-repo.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    agent: { type: "string", default: "sample" },
    approve: { type: "boolean", default: false },
    reject: { type: "boolean", default: false },
  },
});
const agent = values.agent as AgentKind;
if (!AGENT_KINDS.includes(agent)) {
  process.stderr.write(`error: There is no agent "${values.agent}". Known: ${AGENT_KINDS.join(", ")}.\n`);
  process.exit(2);
}
const [repository, prompt = "Fix the failing test. Run npm test to check."] = positionals;
const repoPath = repository === undefined ? `${homedir()}/codehands-fixtures/date-bug` : resolve(repository);
if (repository === undefined) await makeSampleRepo(repoPath);

const runner = createRunner();
const sessionId = randomUUID();
let finished = false;
const run = runner.start({
  sessionId,
  repoPath,
  prompt,
  agent,
  budgetUsd: 0.5,
  preferences: { testCommands: ["npm test"] },
});
for await (const event of run) {
  process.stdout.write(
    `${String(event.seq).padStart(3)}  ${event.type.padEnd(17)} ${JSON.stringify(event.payload).slice(0, 160)}\n`,
  );
  finished = event.type === "task.finished";
}
if (!finished) process.exit(6);

process.stdout.write(`\n${(await runner.diff(sessionId)).stat}\n`);
const answer = await choose();
if (answer === "approve") {
  const { branch, commit } = await runner.approve(sessionId, "");
  process.stdout.write(`Approved: ${commit} on ${branch}\n`);
} else if (answer === "reject") {
  await runner.reject(sessionId);
  process.stdout.write("Rejected: the worktree is in the trash, the branch is gone.\n");
} else {
  process.stdout.write("Kept as it is.\n");
}

async function choose(): Promise<string> {
  if (values.approve) return "approve";
  if (values.reject) return "reject";
  if (!process.stdin.isTTY) return "keep";
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const given = await terminal.question("approve, reject or keep? ");
  terminal.close();
  return given.trim();
}
