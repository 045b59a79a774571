import type { SourceFile } from "./source-tree.ts";

export interface Import {
  specifier: string;
  /** Where it stands in the text. */
  index: number;
  kind: "import" | "export" | "dynamic" | "require" | "resolve";
}

const FORMS: readonly [Import["kind"], RegExp][] = [
  ["import", /^[ \t]*import\b(?:[^;"'`]*?\bfrom)?\s*["']([^"'\n]+)["']/gm],
  ["export", /^[ \t]*export\b[^;"'`]*?\bfrom\s*["']([^"'\n]+)["']/gm],
  ["dynamic", /\bimport\(\s*["'`]([^"'`\n]+)["'`]/g],
  ["require", /\brequire(?:\.resolve)?\(\s*["'`]([^"'`\n]+)["'`]/g],
  ["resolve", /\bimport\.meta\.resolve\(\s*["'`]([^"'`\n]+)["'`]/g],
];

/** Everything a file names to import, in the order of its text. */
export function findImports(file: SourceFile): Import[] {
  return FORMS.flatMap(([kind, form]) =>
    [...file.text.matchAll(form)].map((match) => ({ kind, specifier: match[1] ?? "", index: match.index })),
  ).sort((a, b) => a.index - b.index);
}
