import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/**
 * Removes the objects that a git of ours could not finish writing to a private git folder. git
 * leaves them behind, so a full disk would stay full. Only while no other git writes there.
 */
export async function removeUnfinished(privateGitDir: string): Promise<void> {
  const objects = join(privateGitDir, "objects");
  const folders = await readdir(objects).catch(() => [] as string[]);
  for (const folder of folders) {
    const path = join(objects, folder);
    if (folder.startsWith("tmp_objdir-")) await rm(path, { recursive: true, force: true });
    const names = await readdir(path).catch(() => [] as string[]);
    for (const name of names.filter((entry) => entry.startsWith("tmp_"))) await rm(join(path, name), { force: true });
  }
}
