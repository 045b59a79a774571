/** Endings of files that a note may name without a folder. */
const ENDINGS = new Set(
  (
    "c cc cfg cjs conf cpp cs css csv cts dart ex exs go gradle graphql h hpp htm html ini ipynb java jl js json jsonl " +
    "jsx kt kts less lock lua m md mdx mjs mm mts php pl prisma proto ps1 py r rb rs rst sass scala scss sh sol sql " +
    "svelte svg swift tf toml ts tsx txt vue xml yaml yml zig zsh"
  ).split(" "),
);
/** Longer words are no paths, and the part of a word that is looked at stays bounded. */
const MOST_LENGTH = 256;

const BREAK = /[\s"'`()[\]{}<>,;|*]/;

/** The file paths that a text names, each once, with slashes. Looks at each character once, however long the words are. */
export function findPaths(text: string): string[] {
  const found = new Set<string>();
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && !isBreak(text.charCodeAt(at))) continue;
    if (at > start && at - start <= MOST_LENGTH) {
      const path = asPath(text.slice(start, at));
      if (path !== null) found.add(path);
    }
    start = at + 1;
  }
  return [...found];
}

const BREAKS = new Uint8Array(128).map((_, code) => (BREAK.test(String.fromCharCode(code)) ? 1 : 0));
const isBreak = (code: number): boolean => (code < 128 ? BREAKS[code] === 1 : /\s/.test(String.fromCharCode(code)));

/** The word as a path, or null: it needs a file's ending, known if there is no folder before it. */
function asPath(word: string): string | null {
  if (word.includes("://")) return null;
  const path = word.replaceAll("\\", "/").replace(/(?::\d+){0,2}[.:!?…]*$/, "");
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  const ending = name.slice(dot + 1);
  if (dot < 1 || name[dot - 1] === "." || !/^[A-Za-z]\w{0,9}$/.test(ending)) return null;
  if (path.includes("/")) return path.startsWith("./") ? path.slice(2) : path;
  // "Node.js" is a name, "index.js" a file.
  return ENDINGS.has(ending) && !/^[A-Z][a-z]+\.js$/.test(name) ? path : null;
}
