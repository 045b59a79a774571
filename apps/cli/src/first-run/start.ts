#!/usr/bin/env node
/**
 * A first run: starts the daemon, makes the sample repository, runs one session on it with the sample agent, live in
 * the terminal up to the review, and says what to do next. A second one finds all of that again.
 *
 *   pnpm start [--cloud]     with --cloud it goes on with a cloud of this machine's own, and how another computer joins
 */
import { fileURLToPath } from "node:url";
import { readEnvironment } from "../config.ts";
import { daemonDoor } from "../connect/daemon-door.ts";
import { toCliError } from "../connect/to-cli-error.ts";
import { endProcess, processWorld } from "../process-world.ts";
import { runCli } from "../run-cli.ts";
import { nextSteps } from "./next-steps.ts";
import { SAMPLE_PROMPT } from "./sample-task.ts";
import { shareByCloud } from "./share-by-cloud.ts";

const world = processWorld([]);
const environment = readEnvironment(undefined, world.platform);
const say = (text: string): void => void world.stderr.write(`${text}\n`);

try {
  const daemon = await daemonDoor({
    home: environment.home,
    runId: environment.runId,
    environment: environment.forDaemon,
    spawn: world.spawnDaemon,
    onStarting: () => say("Starting the daemon."),
  }).open();
  say(`The daemon runs (pid ${daemon.file.pid}), everything it keeps is in ${environment.home}.`);
  const { client } = daemon;
  const sample = await client.repos.sample.mutate();
  say(
    `${sample.state === "made" ? "Made" : "Found"} the sample repository ${sample.path}: its test fails by one month.\n`,
  );

  const { sessions } = await client.sessions.list.query({ status: ["awaiting_approval"], limit: 500 });
  const waiting = sessions.find((session) => session.repo.path === sample.path);
  const exitCode =
    waiting === undefined
      ? await runCli({ ...world, words: ["run", SAMPLE_PROMPT, "-C", sample.path, "--agent", "sample", "--no-json"] })
      : await runCli({ ...world, words: ["show", waiting.id, "--no-json"] });
  if (exitCode === 0) {
    const program = fileURLToPath(new URL("../main.js", import.meta.url));
    say(`\n${nextSteps({ agents: await client.agents.list.query(), repo: sample.path, program })}`);
  }
  if (exitCode !== 0 || !process.argv.includes("--cloud")) endProcess(exitCode);
  else {
    const { home, forDaemon } = environment;
    endProcess(await shareByCloud({ world, client, home, environment: forDaemon, say }));
  }
} catch (error) {
  const { message, hint, exitCode } = toCliError(error);
  say(`error: ${message}${hint === null ? "" : `\n  hint: ${hint}`}`);
  endProcess(exitCode);
}
