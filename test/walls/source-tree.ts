import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** One file of the repository; the path is relative to its root, with slashes. */
export interface SourceFile {
  path: string;
  text: string;
}

/** What a tool made: not ours to judge, and never committed. */
const MADE = new Set(["node_modules", "dist", "coverage", ".git", ".turbo", ".cache"]);

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The names at the top level of the repository, without what tools made. */
export function topLevel(): string[] {
  return readdirSync(ROOT).filter((name) => !MADE.has(name));
}

/** Every file of the repository as it lies on the disk. Binary files come with what their bytes say as text. */
export function readTree(): SourceFile[] {
  const walk = (folder: string): string[] =>
    readdirSync(ROOT + folder, { withFileTypes: true }).flatMap((entry) => {
      if (MADE.has(entry.name)) return [];
      const path = `${folder}${entry.name}`;
      if (entry.isDirectory()) return walk(`${path}/`);
      return entry.isFile() ? [path] : [];
    });
  return walk("")
    .sort()
    .map((path) => ({ path, text: readFileSync(ROOT + path, "utf8") }));
}

/** True for what stands for something of the outside world: recorded agents, planted repositories. */
export const isFixture = (path: string): boolean => /(^|\/)fixtures\//.test(path);

/** True for what a generator wrote and nobody edits. */
export const isMigration = (path: string): boolean => /(^|\/)migrations\//.test(path);

/** True for code that only tests run. */
export const isTest = (path: string): boolean => path.startsWith("test/") || /\.(test|test-kit)\.[cm]?tsx?$/.test(path);

/** True for code, in whichever dialect. */
export const isCode = (path: string): boolean => /\.[cm]?[jt]sx?$/.test(path);

/** A violation as a person reads it: where, and what to do instead. Lines count from 1. */
export function violation(file: SourceFile, index: number, says: string): string {
  return `${file.path}:${file.text.slice(0, index).split("\n").length} ${says}`;
}
