import { posix } from "node:path";
import { ROOMS } from "./rooms.ts";
import { isCode, isFixture, isMigration, isTest, type SourceFile, violation } from "./source-tree.ts";

const MAX_LINES = 300;
/** Of a hundred files, 95 are at most this long. */
const MOST_LINES = 220;
const MAX_README_LINES = 60;

/** What the top level may hold. Other names that begin with a dot are tools' own. */
const TOP = new Set([
  "apps",
  "packages",
  "infra",
  "test",
  "pnpm-workspace.yaml",
  "package.json",
  "turbo.json",
  "README.md",
  "LICENSE",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "pnpm-lock.yaml",
]);

/** A folder says what happens in it; these say nothing. As a last word (`git-utils`) the first nine say nothing either. */
const SAY_NOTHING = ["utils", "util", "helpers", "helper", "misc", "lib", "manager", "service", "services"];
const SAY_NOTHING_ALONE = [...SAY_NOTHING, "common", "base", "core"];

const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/;
/** Names that a reader or a tool knows in capitals. */
const KNOWN = new Set(["README.md", "SPEC.md", "LICENSE", "CONTRIBUTING.md", "SECURITY.md"]);

const lines = (text: string): number => text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
const hidden = (path: string): boolean => path.split("/").some((part) => part.startsWith("."));

const counted = (files: readonly SourceFile[]): SourceFile[] =>
  files.filter((file) => /\.[cm]?tsx?$/.test(file.path) && !isFixture(file.path) && !isMigration(file.path));

/** Long files in such number that the limit has become the habit. */
export function checkHabit(files: readonly SourceFile[]): string[] {
  const all = counted(files);
  const long = all.filter((file) => lines(file.text) > MOST_LINES);
  if (long.length <= all.length * 0.05) return [];
  const names = long.map((file) => file.path).join(", ");
  return [`${long.length} of ${all.length} files have more than ${MOST_LINES} lines: ${names}`];
}

/** Code files that grew too long to be read at once. */
export function checkLengths(files: readonly SourceFile[]): string[] {
  return counted(files)
    .filter((file) => lines(file.text) > MAX_LINES)
    .map((file) => `${file.path}:${lines(file.text)} has more than ${MAX_LINES} lines: split it by what happens in it`);
}

/** Names of files and folders: kebab-case, and none that says nothing. */
export function checkNames(files: readonly SourceFile[]): string[] {
  const violations = new Set<string>();
  for (const { path } of files) {
    if (isFixture(path) || isMigration(path) || hidden(path)) continue;
    const parts = path.split("/");
    const name = parts.pop() ?? "";
    const stem = name.split(".")[0] ?? "";
    for (const [depth, folder] of parts.entries()) {
      const where = parts.slice(0, depth + 1).join("/");
      if (!KEBAB.test(folder)) violations.add(`${where} is not kebab-case`);
      if (SAY_NOTHING_ALONE.includes(folder)) violations.add(`${where} does not say what happens in it`);
    }
    if (!KNOWN.has(name) && !name.split(".").every((part) => KEBAB.test(part)))
      violations.add(`${path} is not kebab-case`);
    const lastWord = stem.split("-").at(-1) ?? "";
    if (isCode(path) && (SAY_NOTHING_ALONE.includes(stem) || SAY_NOTHING.includes(lastWord)))
      violations.add(`${path} does not say what happens in it`);
  }
  return [...violations];
}

/** The top level is the same in every checkout. */
export function checkTop(names: readonly string[]): string[] {
  return names
    .filter((name) => !TOP.has(name) && !name.startsWith("."))
    .map((name) => `${name} does not belong at the top level`);
}

const ENVIRONMENT = [
  /\bprocess\s*(?:\?\.|\.)\s*env\b/g,
  /\bprocess\s*\[\s*["'`]env/g,
  /\{[^{}]*\benv\b[^{}]*\}\s*=\s*process\b/g,
  /\bimport\s*\{[^}]*\benv\b[^}]*\}\s*from\s*["'](?:node:)?process["']/g,
];

/** The environment is read in a `config.ts` only; everything else is given what it needs. Tests and build scripts may. */
export function checkEnvironment(files: readonly SourceFile[]): string[] {
  return files
    .filter((file) => /^(apps|packages)\//.test(file.path) && isCode(file.path))
    .filter((file) => !isTest(file.path) && !isFixture(file.path) && posix.basename(file.path) !== "config.ts")
    .flatMap((file) =>
      ENVIRONMENT.flatMap((form) =>
        [...file.text.matchAll(form)].map(({ index }) =>
          violation(file, index, "reads the environment: only a config.ts does, and hands on what was read"),
        ),
      ),
    );
}

/** Every package that is there has a README that is read to its end. */
export function checkReadmes(files: readonly SourceFile[]): string[] {
  return Object.values(ROOMS).flatMap(({ folder }) => {
    if (!files.some((file) => file.path === `${folder}/package.json`)) return [];
    const readme = files.find((file) => file.path === `${folder}/README.md`);
    if (!readme) return [`${folder}/README.md is missing: what it is, its door, its walls, one example`];
    const count = lines(readme.text);
    return count > MAX_README_LINES ? [`${readme.path}:${count} has more than ${MAX_README_LINES} lines`] : [];
  });
}
