/** Reading a unified patch of git: which part belongs to which file. Nothing of the patch is rewritten. */

export interface PatchSection {
  /** The section as it stands in the patch, with its last newline. */
  text: string;
  oldPath: string;
  newPath: string;
}

const START = /^diff --git /gm;

/** Cuts a patch at its `diff --git` lines. Lines of a hunk begin with a blank, `+`, `-` or `\`, never like that. */
export function patchSections(patch: string): PatchSection[] {
  const starts = [...patch.matchAll(START)].map((match) => match.index);
  return starts.map((start, at) => {
    const text = patch.slice(start, starts[at + 1] ?? patch.length);
    return { text, ...pathsOf(text) };
  });
}

/** The sections of one file, by its path now or before; an empty text when the patch does not touch it. */
export function patchOfFile(patch: string, path: string): string {
  return patchSections(patch)
    .filter((section) => section.newPath === path || section.oldPath === path)
    .map((section) => section.text)
    .join("");
}

function pathsOf(section: string): { oldPath: string; newPath: string } {
  const hunk = section.search(/^(@@ |GIT binary patch)/m);
  const head = hunk === -1 ? section : section.slice(0, hunk);
  const named = (start: string): string | null => {
    const line = head.split("\n").find((one) => one.startsWith(start));
    return line === undefined ? null : unquote(line.slice(start.length).replace(/\t$/, ""));
  };
  const both = pathsOfFirstLine(head.split("\n", 1)[0] ?? "");
  const side = (start: string, letter: string): string | null => {
    const path = named(start);
    return path?.startsWith(letter) ? path.slice(letter.length) : null;
  };
  return {
    oldPath: named("rename from ") ?? named("copy from ") ?? side("--- ", "a/") ?? both,
    newPath: named("rename to ") ?? named("copy to ") ?? side("+++ ", "b/") ?? both,
  };
}

/** `diff --git a/x b/x`: both halves are alike where no other line names the paths. */
function pathsOfFirstLine(line: string): string {
  const rest = line.slice("diff --git ".length);
  if (rest.startsWith('"')) return unquote(rest.slice(0, rest.indexOf('" ') + 1)).slice(2);
  return rest.slice(2, (rest.length - 1) / 2);
}

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, "\\": 92 };

/** A path as git prints it: odd bytes stand in a C string. */
function unquote(word: string): string {
  if (!word.startsWith('"') || !word.endsWith('"')) return word;
  const bytes: number[] = [];
  for (const part of word.slice(1, -1).match(/\\[0-7]{3}|\\.|[^\\]+/gs) ?? []) {
    if (/^\\[0-7]{3}$/.test(part)) bytes.push(Number.parseInt(part.slice(1), 8));
    else if (part.startsWith("\\")) bytes.push(ESCAPES[part.slice(1)] ?? 63);
    else bytes.push(...new TextEncoder().encode(part));
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}
