import { accessSync, constants, statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";

/** Absolute path of a program, looked up as a shell does (names with a slash are relative to `cwd`); null when there is none. */
export function findProgram(o: { name: string; path: string; cwd: string }): string | null {
  if (o.name === "") return null;
  if (o.name.includes("/")) return executable(resolve(o.cwd, o.name));
  const folders = o.path.split(":").filter((folder) => isAbsolute(folder));
  return folders.map((folder) => executable(join(folder, o.name))).find((found) => found !== null) ?? null;
}

function executable(path: string): string | null {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() ? path : null;
  } catch {
    return null;
  }
}
