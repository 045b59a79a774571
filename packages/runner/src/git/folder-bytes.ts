import { lstat, readdir } from "node:fs/promises";

/** Bytes that a folder takes on the disk. Follows no link; what cannot be read counts as nothing. */
export async function folderBytes(folder: string): Promise<number> {
  let total = 0;
  const open = [Buffer.from(folder)];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const entries = await readdir(next, { withFileTypes: true, encoding: "buffer" }).catch(() => []);
    const here = next;
    const sizes = await Promise.all(
      entries.map(async (entry) => {
        const path = Buffer.concat([here, SLASH, entry.name]);
        if (entry.isDirectory()) open.push(path);
        const found = await lstat(path).catch(() => null);
        return found === null ? 0 : found.blocks * 512;
      }),
    );
    total += sizes.reduce((sum, size) => sum + size, 0);
  }
  return total;
}

const SLASH = Buffer.from("/");
