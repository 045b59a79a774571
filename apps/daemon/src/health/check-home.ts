import { chmod, readdir, readFile, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { CheckView } from "@codehands/api";
import type { HomePaths } from "@codehands/contracts";
import { parseConfig } from "../settings/config-schema.ts";
import { found, sizeWords } from "./check.ts";

/** Below this a run is ended (500 MB); a warning comes well before. */
const DISK_FLOOR = 500 * 1024 ** 2;
const DISK_WARN = 2 * 1024 ** 3;

/** Whether others can read or write our folder; with `fix` takes that away from them. */
export async function checkPrivate(paths: HomePaths, fix: boolean): Promise<CheckView> {
  const open = await openPaths(paths.home);
  if (open.length > 0 && fix) {
    for (const { path, mode } of open) await chmod(path, mode & 0o700);
    return found.ok(
      ["private", "your data is private"],
      `taken from other users: ${open.map(({ path }) => path).join(", ")}`,
    );
  }
  if (open.length === 0) return found.ok(["private", "your data is private"], paths.home);
  const detail = `other users can read ${open.map(({ path }) => path).join(", ")}`;
  return found.warn(["private", "your data is private"], detail, "codehands doctor --fix");
}

/** Free space where our folder lies. */
export async function checkDisk(folder: string): Promise<CheckView> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const detail = `${sizeWords(free)} free`;
  if (free < DISK_FLOOR)
    return found.fail(
      ["disk", "disk space"],
      `${detail}: runs end below ${sizeWords(DISK_FLOOR)}`,
      "codehands clean --stale 14d",
    );
  return free < DISK_WARN
    ? found.warn(["disk", "disk space"], detail, "codehands clean --stale 14d")
    : found.ok(["disk", "disk space"], detail);
}

/** Whether `config.json` can be read. While it cannot, its last valid content counts and nothing starts. */
export async function checkConfig(file: string): Promise<CheckView> {
  const source = await readFile(file, "utf8").catch(() => null);
  if (source === null) return found.ok(["config", "config.json"], "not there: the defaults count");
  const parsed = parseConfig(source);
  return parsed.ok
    ? found.ok(["config", "config.json"], file)
    : found.fail(["config", "config.json"], `${file}: ${parsed.problems.join("; ")}`, `edit ${file}`);
}

/** The home itself and the files at its top: a closed folder closes all below it. */
async function openPaths(home: string): Promise<{ path: string; mode: number }[]> {
  const names = await readdir(home, { withFileTypes: true });
  const paths = [home, ...names.filter((entry) => entry.isFile()).map((entry) => join(home, entry.name))];
  const looked = await Promise.all(paths.map(async (path) => ({ path, mode: (await stat(path)).mode & 0o777 })));
  return looked.filter(({ mode }) => (mode & 0o077) !== 0);
}
