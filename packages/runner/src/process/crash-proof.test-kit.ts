import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const here = import.meta.dirname;

/** What the readers of one run have stored between them. */
export interface StoredRun {
  kills: number;
  adoptions: number;
  neverStarted: boolean;
  exitCode: number | null;
  /** The numbers of the lines in the order in which they were stored. */
  indexes: number[];
  /** How many lines the agent says that it wrote. */
  total: number | null;
  /** Stored items that are not a whole line. */
  others: string[];
}

/**
 * Starts the reader of a run again and again and kills it with -9 after so many of its steps as `next` says; the last one
 * is left to end.
 */
export async function runWithKills(o: {
  folder: string;
  runId: string;
  kills: number;
  next: (below: number) => number;
}): Promise<StoredRun> {
  let kills = 0;
  let adoptions = 0;
  for (let ended = false; !ended; ) {
    if (kills >= o.kills) writeFileSync(finishOf(o), "");
    const child = startReader(o);
    // Around the spawn a step is rare, while lines are read they are many.
    const steps = kills >= o.kills ? Number.POSITIVE_INFINITY : 1 + o.next(o.next(2) === 0 ? 3 : 60);
    const told = await followSteps(child, steps);
    adoptions += told.filter((step) => step === "adopted live").length;
    ended = told.at(-1) === "end";
    kills += ended ? 0 : 1;
  }
  return { kills, adoptions, ...readStored(o.folder, o.runId) };
}

const finishOf = (o: { folder: string; runId: string }): string => `${o.folder}/${o.runId}.finish`;

function startReader(o: { folder: string; runId: string }): ChildProcess {
  const program = join(here, "crash-reader.test-kit.ts");
  const words = [program, o.folder, o.runId, join(here, "crash-agent.test-kit.mjs"), finishOf(o)];
  return spawn(process.execPath, ["--import", import.meta.resolve("tsx"), ...words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function followSteps(child: ChildProcess, steps: number): Promise<string[]> {
  const told: string[] = [];
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  if (child.stdout !== null) {
    for await (const step of createInterface({ input: child.stdout })) {
      told.push(step);
      if (told.length === steps) child.kill("SIGKILL");
    }
  }
  await ended;
  return told;
}

function readStored(folder: string, runId: string): Omit<StoredRun, "kills" | "adoptions"> {
  const text = existsSync(`${folder}/${runId}.stored`) ? readFileSync(`${folder}/${runId}.stored`, "utf8") : "";
  const records = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split("\t"));
  const end = JSON.parse(readFileSync(`${folder}/${runId}.ended`, "utf8")) as { state: string; exitCode?: number };
  const lines = records
    .filter(([, kind]) => kind === "line")
    .map(([, , line]) => JSON.parse(line ?? "") as { index: number; total?: number });
  return {
    neverStarted: end.state === "never_started",
    exitCode: end.exitCode ?? null,
    indexes: lines.map(({ index }) => index),
    total: lines.at(-1)?.total ?? null,
    others: records.filter(([, kind]) => kind !== "line").map((record) => record.join(" ")),
  };
}

/** What is wrong with a run, in words; an empty list when nothing is. */
export function faultsOf(run: StoredRun): string[] {
  if (run.neverStarted) return run.indexes.length === 0 ? [] : ["lines of a run that never started"];
  const faults = [...run.others];
  const wrong = run.indexes.findIndex((value, index) => value !== index);
  if (wrong !== -1) faults.push(`line ${run.indexes[wrong]} stands where ${wrong} should`);
  if (run.total !== run.indexes.length) faults.push(`${run.indexes.length} lines of ${run.total}`);
  if (run.exitCode !== (run.total ?? 0) % 200) faults.push(`exit code ${run.exitCode} after ${run.total} lines`);
  return faults;
}
