import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { adoptRun } from "./adopt-run.ts";
import type { ProcessName } from "./process-types.ts";
import { readExit } from "./read-exit.ts";
import { isRunAlive } from "./run-processes.ts";
import { spawnAgent } from "./spawn-agent.ts";
import { tailOutput } from "./tail-output.ts";

/**
 * A program in place of the daemon that is killed again and again. It keeps its intent, the process's name and every
 * line with the offset after it, as a daemon does in its database, and tells each step on its output.
 * usage: node crash-reader.test-kit.ts <folder> <run id> <agent's script> <file that ends the agent>
 */
const [folder = "", runId = "", script = "", finish = ""] = process.argv.slice(2);
const runDir = `${folder}/${runId}`;
const stored = `${folder}/${runId}.stored`;
const intent = `${folder}/${runId}.intent`;
const live = `${folder}/${runId}.live`;
const ended = `${folder}/${runId}.ended`;

// The pipe is full now and then: what is told is what the test counts, so it is written again.
const tell = (step: string): void => {
  for (let told = false; !told; ) {
    try {
      writeSync(1, `${step}\n`);
      told = true;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
    }
  }
};
const keep = (path: string, value: unknown): void => {
  writeFileSync(`${path}.new`, JSON.stringify(value));
  renameSync(`${path}.new`, path);
};
const nameOf = (): ProcessName | null =>
  existsSync(live) ? (JSON.parse(readFileSync(live, "utf8")) as ProcessName) : null;

let name = nameOf();
tell("begin");
if (existsSync(intent)) {
  const adoption = await adoptRun({ runDir, runId, process: name });
  tell(`adopted ${adoption.state}`);
  if (adoption.state === "never_started") keep(ended, { state: "never_started" });
  if (adoption.state === "live") name = adoption.process;
} else {
  keep(intent, {});
  tell("intent");
  const env = { PATH: process.env["PATH"] ?? "", CODEHANDS_RUN_ID: runId };
  const command = [process.execPath, script, finish];
  name = await spawnAgent({ runId, runDir, command, cwd: folder, env, stdin: null });
  tell("spawned");
}
if (name !== null) keep(live, name);

if (!existsSync(ended)) {
  const before = existsSync(stored) ? readFileSync(stored, "utf8") : "";
  // A record that was cut by a kill is dropped, as a database does.
  const whole = before.slice(0, before.lastIndexOf("\n") + 1);
  if (whole !== before) writeFileSync(stored, whole);
  const fromOffset = Number(whole.trimEnd().split("\n").at(-1)?.split("\t")[0] ?? 0) || 0;
  const isOver = async (): Promise<boolean> => readExit(runDir) !== null || !isRunAlive({ process: name, runId });
  for await (const item of tailOutput({ runDir, fromOffset, isOver })) {
    const text = item.kind === "line" || item.kind === "rest" ? item.bytes.toString("utf8") : "";
    appendFileSync(stored, `${item.endOffset}\t${item.kind}\t${text}\n`);
    tell("line");
  }
  keep(ended, { state: "ended", exitCode: readExit(runDir) });
}
tell("end");
