import type { DiffView } from "@codehands/api";
import { cutTo, displayWidth, padTo } from "../terminal/fit.ts";
import { iconsFor } from "../terminal/icons.ts";
import { type Ink, type Paint, paintFor } from "../terminal/paint.ts";
import { showControls } from "../terminal/strip-controls.ts";
import type { TerminalFacts } from "../terminal/terminal-facts.ts";
import { changeSize, counted } from "./amounts.ts";

/** A review for a terminal: what a person must know first, the files, then the patch in colours. */
export function renderDiffPage(diff: DiffView, facts: TerminalFacts): string {
  const head = [...renderWarnings(diff, facts), ...renderStat(diff, facts)];
  const patch = diff.patch === "" ? "" : `\n${renderPatch(diff.patch, facts)}`;
  return `${head.join("\n")}\n${patch}`;
}

/** The files of a change, one line each, and their sum. */
export function renderStat(diff: DiffView, facts: TerminalFacts): string[] {
  if (diff.files.length === 0) return ["No changes."];
  const paint = paintFor(facts);
  const names = diff.files.map(fileName);
  const widest = Math.max(...names.map(displayWidth));
  const width = facts.width === null ? widest : Math.min(widest, Math.max(20, facts.width - 34));
  const lines = diff.files.map((file, at) => {
    const name = padTo(facts.width === null ? (names[at] ?? "") : cutTo(names[at] ?? "", width, facts), width);
    const size = file.binary
      ? "binary"
      : `${paint("green", `+${file.additions}`)} ${paint("red", `-${file.deletions}`)}`;
    return ` ${paint(letterInk(file.status), file.status)} ${name}  ${size}${file.generated ? "  (generated)" : ""}`;
  });
  const sum = diff.files.reduce(
    (total, file) => ({
      files: total.files + 1,
      additions: total.additions + file.additions,
      deletions: total.deletions + file.deletions,
    }),
    { files: 0, additions: 0, deletions: 0 },
  );
  return [...lines, paint("bold", changeSize(sum))];
}

/** What does not stand in the patch and must be known before it is approved. */
export function renderWarnings(diff: DiffView, facts: TerminalFacts): string[] {
  const paint = paintFor(facts);
  const { fail, warn } = iconsFor(facts);
  const lines: string[] = [];
  if (diff.configChanged.length > 0) {
    const title = `${fail} Warning: the agent changed git's own configuration or hooks. They are not part of the change:`;
    lines.push(paint("red", title), ...listed(diff.configChanged, (line) => paint("red", line)));
  }
  if (diff.secrets.length > 0) {
    const found = diff.secrets.map((secret) => `${secret.path}:${secret.line}  ${secret.rule}  ********`);
    const title = `${fail} Warning: ${counted(diff.secrets.length, "line")} that may hold a secret:`;
    lines.push(paint("red", title), ...listed(found, (line) => paint("red", line)));
  }
  if (diff.truncated === true) {
    const title = `${fail} Warning: the patch is too large and was cut. The list of files and their sizes is whole.`;
    lines.push(paint("red", title));
  }
  if (diff.nested.length > 0) {
    const title = `${warn} Note: repositories inside the worktree are left out (approve --absorb-nested takes them along):`;
    lines.push(paint("yellow", title), ...listed(diff.nested, (line) => line));
  }
  if (diff.ignored.length > 0) {
    const shown = facts.width === null ? diff.ignored : diff.ignored.slice(0, SHOWN_IGNORED);
    const more = diff.ignored.length - shown.length;
    const title = `${warn} Note: ignored by .gitignore, so not part of the change:`;
    lines.push(paint("dim", title), ...listed(shown, (line) => paint("dim", line)));
    if (more > 0) lines.push(paint("dim", `    and ${more} more`));
  }
  return lines.length === 0 ? [] : [...lines, ""];
}

const SHOWN_IGNORED = 5;

function listed(lines: string[], draw: (line: string) => string): string[] {
  return lines.map((line) => draw(`    ${showName(line)}`));
}

function fileName(file: DiffView["files"][number]): string {
  const name = showName(file.path);
  return file.oldPath === undefined ? name : `${showName(file.oldPath)} -> ${name}`;
}

/** A path on one line, with everything hidden in it spelled out. */
function showName(path: string): string {
  return showControls(path).replaceAll("\n", "^J").replaceAll("\t", "^I");
}

function letterInk(status: DiffView["files"][number]["status"]): Ink {
  if (status === "A") return "green";
  return status === "D" ? "red" : "yellow";
}

/** A patch in colours. Controls and hidden marks are spelled out, so that a reviewer sees them. */
export function renderPatch(patch: string, facts: TerminalFacts): string {
  const safe = showControls(patch);
  if (!facts.colour) return safe;
  const paint = paintFor(facts);
  let inHunk = false;
  const lines = safe.split("\n").map((line) => {
    if (line.startsWith("diff --git ")) inHunk = false;
    else if (line.startsWith("@@ ")) inHunk = true;
    return paintLine(line, inHunk, paint);
  });
  return lines.join("\n");
}

function paintLine(line: string, inHunk: boolean, paint: Paint): string {
  if (line === "") return line;
  if (!inHunk) return paint("bold", line);
  switch (line[0]) {
    case "+":
      return paint("green", line);
    case "-":
      return paint("red", line);
    case "@":
      return paint("cyan", line);
    default:
      return line;
  }
}
