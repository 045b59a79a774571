/**
 * The sample agent: a small program that speaks Claude Code's stream-json and does the sample task for real.
 *
 *   node main.js --session-id ID | --resume ID [--permission-mode plan] [--pace MS] < prompt
 */
import { setTimeout as wait } from "node:timers/promises";
import { commandEnvironment } from "./config.ts";
import { type RunningCommand, runCommand } from "./run-command.ts";
import { sampleArguments } from "./sample-arguments.ts";
import { SampleVoice } from "./sample-voice.ts";
import { workOnSample } from "./work-on-sample.ts";

const args = sampleArguments(process.argv.slice(2));
if (typeof args === "string") {
  process.stderr.write(`error: ${args}\n`);
  process.exit(2);
}
// The prompt is not needed: the sample agent knows one task. A pipe must be emptied all the same.
process.stdin.on("error", () => {}).resume();

const cwd = process.cwd();
let running: RunningCommand | null = null;
const leave = (code: number) => {
  running?.kill();
  process.exit(code);
};
process.on("SIGTERM", () => leave(143));
process.on("SIGINT", () => leave(130));
process.stdout.on("error", () => leave(1));

const voice = new SampleVoice({
  sessionId: args.sessionId,
  cwd,
  plan: args.plan,
  print: (line) => process.stdout.write(`${JSON.stringify(line)}\n`),
  now: Date.now,
});
await workOnSample({
  voice,
  cwd,
  plan: args.plan,
  resumed: args.resumed,
  pause: () => wait(args.paceMs),
  runTests: () => {
    running = runCommand(["npm", "test"], cwd, commandEnvironment());
    return running;
  },
});
process.stdin.destroy();
