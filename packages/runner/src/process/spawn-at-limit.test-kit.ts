import { closeSync, existsSync, openSync } from "node:fs";
import { RunnerError } from "../runner-error.ts";
import { spawnAgent } from "./spawn-agent.ts";

/** A program that uses up its open files, leaves as many free as asked, tries to start an agent, and tells how that went. */
const [folder = "", free = "0"] = process.argv.slice(2);
const open: number[] = [];
try {
  for (;;) open.push(openSync("/dev/null", "r"));
} catch {
  for (const fd of open.splice(0, Number(free))) closeSync(fd);
}
const env = { PATH: "/usr/bin:/bin" };
const request = { runId: "limit", runDir: `${folder}/limit`, command: ["true"], cwd: folder, env, stdin: null };
const error: unknown = await spawnAgent(request).catch((thrown: unknown) => thrown);
for (const fd of open) closeSync(fd);
const code = error instanceof RunnerError ? error.code : "other";
const message = error instanceof Error ? error.message : "";
console.log(JSON.stringify({ code, message, left: existsSync(`${folder}/limit`) }));
