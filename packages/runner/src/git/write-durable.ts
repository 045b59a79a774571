import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";

let writes = 0;

/** Replaces a file in one step and on the disk before it returns. Mode 0600. */
export async function writeDurable(path: string, data: string): Promise<void> {
  const fresh = `${path}.${process.pid}-${(writes += 1)}.new`;
  const file = await open(fresh, "w", 0o600);
  try {
    await file.writeFile(data);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(fresh, path);
  await syncFolder(dirname(path));
}

/** Brings a folder's entries to the disk. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
