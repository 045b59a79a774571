import { access, constants, realpath, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

/** The absolute path of a program that can be run: the word itself when it is a path, else the first one in PATH. Null when there is none. */
export async function findProgram(word: string, path: string | undefined): Promise<string | null> {
  const places = word.includes("/") ? [word] : (path ?? "").split(delimiter).map((folder) => join(folder, word));
  for (const place of places) {
    // A relative entry of PATH means another program in every folder, so it names none for us.
    if (isAbsolute(place) && (await isExecutable(place))) return place;
  }
  return null;
}

/** What tells one version of a program's file from the next: its real path, size and time of change. */
export async function fingerprintProgram(path: string): Promise<string> {
  const real = await realpath(path).catch(() => path);
  const found = await stat(real).catch(() => null);
  return `${real} ${found?.size ?? 0} ${found?.mtimeMs ?? 0}`;
}

async function isExecutable(place: string): Promise<boolean> {
  try {
    await access(place, constants.X_OK);
    return (await stat(place)).isFile();
  } catch {
    return false;
  }
}
