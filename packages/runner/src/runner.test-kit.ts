import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Runner, RunnerEvent, RunnerOptions, StartOptions } from "@codehands/contracts";
import { createRunner } from "./runner.ts";
import { makeSampleRepo } from "./sample/make-sample-repo.ts";

const AGENT = new URL("../../../test/fixtures/agents/scripted-agent.mjs", import.meta.url).pathname;

/** A temporary folder with the sample repository, and runners whose agent does what a script says. */
export interface Bench {
  root: string;
  repo: string;
  home: string;
  runner(steps: unknown[], options?: RunnerOptions): Runner;
  start(runner: Runner, options?: Partial<StartOptions>): { sessionId: string; events: AsyncIterable<RunnerEvent> };
  git(...args: string[]): string;
  remove(): void;
}

export async function openBench(): Promise<Bench> {
  const root = mkdtempSync(join(tmpdir(), "codehands-runner-"));
  const repo = join(root, "repo");
  const home = join(root, "home");
  await makeSampleRepo(repo);
  let scripts = 0;
  return {
    root,
    repo,
    home,
    runner(steps, options = {}) {
      const file = join(root, `script-${++scripts}.json`);
      writeFileSync(file, JSON.stringify(steps));
      return createRunner({
        home,
        agentCommand: [process.execPath, AGENT, file],
        agentEnvironment: { "claude-code": ["TEST_BENCH"] },
        ...options,
        environment: { ...(options.environment ?? process.env), TEST_BENCH: root },
      });
    },
    start(runner, options = {}) {
      const sessionId = options.sessionId ?? randomUUID();
      const events = runner.start({
        repoPath: repo,
        prompt: "Fix the date",
        agent: "claude-code",
        ...options,
        sessionId,
      });
      return { sessionId, events };
    },
    git: (...args) =>
      execFileSync("git", args, { cwd: repo, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trimEnd(),
    remove() {
      endWhatRuns(root);
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** A test that fails in the middle leaves an agent running; it goes with its folder. */
function endWhatRuns(root: string): void {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      if (readFileSync(`/proc/${pid}/environ`, "latin1").includes(`TEST_BENCH=${root}\0`))
        process.kill(Number(pid), "SIGKILL");
    } catch {
      // It has ended, or is not ours to look at.
    }
  }
}

/** All events of a run. */
export async function collect(events: AsyncIterable<RunnerEvent>): Promise<RunnerEvent[]> {
  const all: RunnerEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** Takes events until one fits, then hands back the iterator for the rest. */
export async function takeUntil(events: AsyncIterable<RunnerEvent>, fits: (event: RunnerEvent) => boolean) {
  const iterator = events[Symbol.asyncIterator]();
  const taken: RunnerEvent[] = [];
  for (;;) {
    const { value, done } = await iterator.next();
    if (done === true) throw new Error(`the run ended before the awaited event: ${JSON.stringify(taken.at(-1))}`);
    taken.push(value);
    if (fits(value)) return { taken, rest: { [Symbol.asyncIterator]: () => iterator } };
  }
}
