import { appendFileSync, existsSync } from "node:fs";
import { test as base, describe } from "vitest";
import type { WatchLimits } from "./decide-verdict.ts";
import { openRunFolder, pidIn, type RunFolder, type StartedRun, textOf, until } from "./run-folder.test-kit.ts";
import { type RunWatch, watchRun } from "./watch-run.ts";

const HOUR = 3_600_000;
const wide: WatchLimits = {
  firstLineMs: HOUR,
  idleMs: HOUR,
  wallMs: HOUR,
  maxOutputBytes: 1e12,
  diskFloorBytes: 0,
  lingerMs: HOUR,
};

type Watched = (run: StartedRun, limits: Partial<WatchLimits>, monotonic?: () => number) => RunWatch;

const test = base.extend<{ folder: RunFolder; watched: Watched }>({
  folder: async ({ task: _task }, use) => {
    const folder = openRunFolder();
    await use(folder);
    folder.clean();
  },
  watched: async ({ task: _task }, use) => {
    const watches: RunWatch[] = [];
    await use((run, limits, monotonic) => {
      const options = { ...run, limits: { ...wide, ...limits } };
      const watch = watchRun(monotonic === undefined ? options : { ...options, monotonic });
      watches.push(watch);
      return watch;
    });
    for (const watch of watches) watch.close();
  },
});

/** The verdict if there is one by the time `other` happens. */
const before = async (watch: RunWatch, other: Promise<unknown>): Promise<string> =>
  Promise.race([watch.verdict, other.then(() => "none")]);

const linesOf = (run: StartedRun): number => (textOf(`${run.runDir}/out.ndjson`) ?? "").split("\n").length - 1;

/** 50 ms for each line of the script until it is done, then real time: a script that the machine holds up is not silent. */
const clockOf = (run: StartedRun, isDone: () => boolean): (() => number) => {
  let doneAt: number | null = null;
  return () => {
    if (doneAt === null && isDone()) doneAt = performance.now();
    return 50 * linesOf(run) + (doneAt === null ? 0 : performance.now() - doneAt);
  };
};

describe.concurrent("watchRun", () => {
  test("no output at all: no_first_line, and what goes to the error output does not count as a first line", async ({
    folder,
    watched,
    expect,
  }) => {
    const run = await folder.start("echo warning >&2; exec sleep 300");
    expect(await watched(run, { firstLineMs: 300 }).verdict).toBe("no_first_line");
  });

  test("C002: a first line and then nothing: stalled", async ({ folder, watched, expect }) => {
    const run = await folder.start("echo line; exec sleep 300");
    expect(await watched(run, { firstLineMs: 20_000, idleMs: 400 }).verdict).toBe("stalled");
  });

  test("C017: a silent run that uses the processor, in a child of its own session, is not stalled before it stops to", async ({
    folder,
    watched,
    expect,
  }) => {
    const run = await folder.start(
      `echo line; setsid sh -c 'n=0; until [ -e stop ]; do n=$((n+1)); done; echo $$ > quiet; exec sleep 300'`,
    );
    await until("the line", () => textOf(`${run.runDir}/out.ndjson`));
    const watch = watched(run, { idleMs: 600 });
    expect(await before(watch, watched(run, { wallMs: 2_000 }).verdict)).toBe("none");
    appendFileSync(`${folder.worktree}/stop`, "");
    await pidIn(`${folder.worktree}/quiet`);
    expect(await watch.verdict).toBe("stalled");
  });

  test("output that the reader has not read yet is output: a slow reader does not make a run look stalled", async ({
    folder,
    watched,
    expect,
  }) => {
    const run = await folder.start(
      "for i in $(seq 30); do echo line; sleep 0.05; done; echo $$ > quiet; exec sleep 300",
    );
    const quiet = `${folder.worktree}/quiet`;
    const watch = watched(
      run,
      { idleMs: 800 },
      clockOf(run, () => existsSync(quiet)),
    );
    expect(await before(watch, pidIn(quiet))).toBe("none");
    expect(await watch.verdict).toBe("stalled");
  });

  test("after a result with nothing open: lingering; with something open not, until that is closed", async ({
    folder,
    watched,
    expect,
  }) => {
    const run = await folder.start("echo result; exec sleep 300");
    const watch = watched(run, { lingerMs: 200 });
    watch.sawOutput(7);
    watch.sawResult(1);
    const other = watched(run, { wallMs: 600 });
    expect(await before(watch, other.verdict)).toBe("none");
    watch.sawResult(0);
    expect(await watch.verdict).toBe("lingering");
  });

  test("output after a result puts lingering off", async ({ folder, watched, expect }) => {
    const run = await folder.start("echo result; while [ ! -e stop ]; do echo more; sleep 0.05; done; exec sleep 300");
    const stop = `${folder.worktree}/stop`;
    const watch = watched(
      run,
      { lingerMs: 500 },
      clockOf(run, () => existsSync(stop)),
    );
    watch.sawResult(0);
    expect(
      await before(
        watch,
        until("24 lines", () => linesOf(run) >= 24),
      ),
    ).toBe("none");
    appendFileSync(stop, "");
    expect(await watch.verdict).toBe("lingering");
  });

  test("wall_clock, output_limit and disk_full", async ({ folder, watched, expect }) => {
    const run = await folder.start("head -c 5000 /dev/zero; while :; do echo more; sleep 0.05; done");
    expect(await watched(run, { wallMs: 300 }).verdict).toBe("wall_clock");
    expect(await watched(run, { maxOutputBytes: 4_999, lingerMs: 200 }).verdict).toBe("output_limit");
    expect(await watched(run, { diskFloorBytes: Number.MAX_SAFE_INTEGER, lingerMs: 200 }).verdict).toBe("disk_full");
  });

  test("F37: eight hours of sleep between two beats are no idle time", async ({ folder, watched, expect }) => {
    const run = await folder.start("echo line; exec sleep 300");
    let slept = 0;
    const watch = watched(run, { idleMs: 60_000, wallMs: 120_000 }, () => performance.now() + slept);
    const other = watched(run, { wallMs: 200 });
    await other.verdict;
    slept = 8 * HOUR;
    expect(await before(watch, watched(run, { wallMs: 1_000 }).verdict)).toBe("none");
  });

  test("F37: a run that is frozen is not stalled; once it goes on it can be", async ({ folder, watched, expect }) => {
    const run = await folder.start("echo line; exec sleep 300");
    await until("the line", () => textOf(`${run.runDir}/out.ndjson`));
    process.kill(-run.process.pgid, "SIGSTOP");
    const watch = watched(run, { idleMs: 300 });
    expect(await before(watch, watched(run, { wallMs: 800 }).verdict)).toBe("none");
    process.kill(-run.process.pgid, "SIGCONT");
    expect(await watch.verdict).toBe("stalled");
  });
});
