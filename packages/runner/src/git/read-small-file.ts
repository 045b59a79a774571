import { constants } from "node:fs";
import { open } from "node:fs/promises";

export interface SmallFileOptions {
  /** Bytes; a longer file counts as unreadable. 1 MiB when absent. */
  limit?: number;
  /** Follow a link in the last place: only for files of the person that no agent is meant to write. */
  follow?: true;
}

/**
 * The bytes of a regular file, or null when there is none to read. Never waits on a fifo: an agent
 * may have put anything in the place of a file.
 */
export async function readSmallFile(path: string, options: SmallFileOptions = {}): Promise<Buffer | null> {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | (options.follow ? 0 : constants.O_NOFOLLOW);
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, flags);
  } catch {
    return null;
  }
  try {
    const stat = await file.stat();
    if (!stat.isFile() || stat.size > (options.limit ?? 1024 ** 2)) return null;
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** `readSmallFile` as trimmed text. */
export async function readSmallText(path: string): Promise<string | null> {
  return (await readSmallFile(path))?.toString("utf8").trim() ?? null;
}
