import { readExit } from "./read-exit.ts";
import { isRunAlive } from "./run-processes.ts";
import { spawnAgent } from "./spawn-agent.ts";
import { tailOutput } from "./tail-output.ts";

/**
 * A program that runs one shell script as the agent, reads all of its output and tells what it saw and how much memory
 * that took at most.
 * usage: node large-output.test-kit.ts <folder> <script>
 */
const [folder = "", script = ""] = process.argv.slice(2);
const runDir = `${folder}/run`;
const runId = "large-output";
const env = { PATH: process.env["PATH"] ?? "", CODEHANDS_RUN_ID: runId };
const name = await spawnAgent({ runId, runDir, command: ["sh", "-c", script], cwd: folder, env, stdin: null });

const seen = { lines: 0, bytes: 0, oversize: 0, worstTurnMs: 0, last: "" };
let turn = performance.now();
const timer = setInterval(() => {
  seen.worstTurnMs = Math.max(seen.worstTurnMs, performance.now() - turn);
  turn = performance.now();
}, 1);
const isOver = async (): Promise<boolean> => readExit(runDir) !== null || !isRunAlive({ process: name, runId });
for await (const item of tailOutput({ runDir, fromOffset: 0, isOver })) {
  if (item.kind === "oversize") seen.oversize += item.bytes;
  if (item.kind !== "line") continue;
  seen.lines += 1;
  seen.bytes += item.bytes.length + 1;
  seen.last = item.bytes.toString("utf8", 0, 40);
}
clearInterval(timer);
console.log(JSON.stringify({ ...seen, maxRssMb: Math.round(process.resourceUsage().maxRSS / 1024) }));
