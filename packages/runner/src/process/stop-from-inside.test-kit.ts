import { spawn } from "node:child_process";
import { stopRun } from "./stop-run.ts";

/** Run as a program that carries a run's marker itself: it stops the run, must live to tell, and its child must not. */
const runId = process.argv[2] ?? "";
const child = spawn("sleep", ["300"]);
const ended = new Promise<void>((resolve) => {
  child.once("exit", () => resolve());
});
await stopRun({ process: null, runId, worktree: null, graceMs: 5_000 });
await ended;
