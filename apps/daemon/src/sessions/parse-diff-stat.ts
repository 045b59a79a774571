/** The counts in the last line of `git diff --stat`; null when it has none. An empty diff is three zeros. */
export function parseDiffStat(stat: string): { files: number; additions: number; deletions: number } | null {
  const text = stat.trim();
  if (text === "") return { files: 0, additions: 0, deletions: 0 };
  const last = text.slice(text.lastIndexOf("\n") + 1);
  const files = /(\d+) files? changed/.exec(last)?.[1];
  if (files === undefined) return null;
  const count = (word: string) => Number(new RegExp(`(\\d+) ${word}s?\\(`).exec(last)?.[1] ?? 0);
  return { files: Number(files), additions: count("insertion"), deletions: count("deletion") };
}
