import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";

/** Replaces a file in one step, readable by this user alone: after a crash it is the old or the new one, whole. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const next = `${path}.next`;
  const file = await open(next, "w", 0o600);
  try {
    await file.chmod(0o600);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(next, path);
  await syncFolder(dirname(path));
}

/** Makes what was created, renamed or removed in a folder last. */
export async function syncFolder(path: string): Promise<void> {
  // Windows opens no folders, and keeps their entries without being asked.
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
