import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { git } from "../kit/git.ts";

export interface BenchRow {
  name: string;
  value: string;
  goal: string;
  detail: string;
}

/** The middle of the values. */
export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Runs two things in turn and returns the times of each, ms. The order changes every round. */
export async function alternate(
  rounds: number,
  a: (round: number) => Promise<number>,
  b: (round: number) => Promise<number>,
) {
  const times = { a: [] as number[], b: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) {
      times.a.push(await a(round));
      times.b.push(await b(round));
    } else {
      times.b.push(await b(round));
      times.a.push(await a(round));
    }
  }
  return times;
}

/** How long it takes, ms. */
export async function time(act: () => unknown): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

export const ms = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
export const ratio = (value: number) => `${value.toFixed(2)} x`;

/** A repository with `files` small files in folders of 100, one commit. */
export function makeRepository(files: number): { root: string; repo: string; remove: () => void } {
  const root = mkdtempSync(join(tmpdir(), "codehands-bench-"));
  const repo = join(root, "repo");
  for (let index = 0; index < files; index++) {
    const folder = join(repo, `d${Math.floor(index / 100)}`);
    if (index % 100 === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `f${index}.txt`), `file ${index}\n${"line of text\n".repeat(20)}`);
  }
  git(repo, "init", "-q");
  git(repo, "add", "-A");
  git(repo, "commit", "-q", "-m", "Start");
  return { root, repo, remove: () => rmSync(root, { recursive: true, force: true }) };
}
