import { readFile } from "node:fs/promises";

const MAX_BYTES = 16 * 1024;

/** The notes of a repository for its agents: the newest 16 KB, from the beginning of a line. Null without any. */
export async function readNotes(memory: string, repoKey: string): Promise<string | null> {
  const bytes = await readFile(`${memory}/${repoKey}/notes.md`).catch(() => null);
  if (bytes === null) return null;
  const cut = bytes.length > MAX_BYTES ? bytes.indexOf(0x0a, bytes.length - MAX_BYTES) + 1 : 0;
  const text = bytes.subarray(cut).toString("utf8").trim();
  return text === "" ? null : text;
}
