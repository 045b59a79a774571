import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const GUIDE = new URL("../../infra/docker/operator.md", import.meta.url);

/**
 * The command lines of the operator's guide in a section, below the paragraph that begins with `under`. Throws when
 * the guide has none there any more: then the guide and its test have to meet again.
 */
export function linesOfGuide(section: string, under: string): string[] {
  const text = readFileSync(GUIDE, "utf8");
  const [, part = ""] = text.split(`\n## ${section}\n`);
  const [, rest] = (part.split("\n## ")[0] ?? "").split(`\n${under}`);
  const block = /```\n([\s\S]*?)\n```/.exec(rest ?? "")?.[1];
  if (block === undefined) throw new Error(`The guide has no commands under "${section}", "${under}".`);
  return block.split("\n").map((line) => line.replace(/\s+#.*$/, ""));
}

/** Runs lines as a person types them, in a shell that stops at the first failure. Gives what was printed. */
export function runLines(lines: readonly string[], { cwd, env }: { cwd: string; env: Record<string, string> }): string {
  return execFileSync("sh", ["-e", "-c", lines.join("\n")], { cwd, env, encoding: "utf8", timeout: 120_000 });
}

/** Puts the newest backup of a folder in the place of `name`, which is the guide's word for it, with `…` in it. */
export function withBackup(lines: readonly string[], { folder, name }: { folder: string; name: string }): string[] {
  const [before = "", after = ""] = name.split("…");
  const newest = readdirSync(folder)
    .filter((each) => each.startsWith(before) && each.endsWith(after))
    .sort()
    .at(-1);
  if (newest === undefined) throw new Error(`no backup in ${folder}`);
  return lines.map((line) => line.replaceAll(name, newest));
}

/** A folder with one program in it, for the front of PATH. */
export function putProgram(folder: string, name: string, script: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), script);
  chmodSync(join(folder, name), 0o755);
  return folder;
}
