import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** The size of all files below a folder, bytes; links are not followed. What cannot be read counts nothing. */
export async function folderBytes(folder: string): Promise<number> {
  let bytes = 0;
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) open.push(path);
      else bytes += (await lstat(path).catch(() => null))?.size ?? 0;
    }
  }
  return bytes;
}
