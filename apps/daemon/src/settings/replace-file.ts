import { randomBytes } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Writes a private file (0600, its folder 0700) so that a reader or a power cut sees the old content or the new
 * one whole. Throws the system's error when the disk refuses; the old content is kept then.
 */
export async function replaceFile(file: string, content: string): Promise<void> {
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const beside = `${file}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const handle = await open(beside, "wx", 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
