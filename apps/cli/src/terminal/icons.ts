import type { TerminalFacts } from "./terminal-facts.ts";

const UTF8 = {
  waiting: "◆",
  running: "●",
  queued: "○",
  stopped: "■",
  ok: "✔",
  fail: "✖",
  warn: "!",
  dot: "·",
  ellipsis: "…",
} as const;
export type IconName = keyof typeof UTF8;

const ASCII: Readonly<Record<IconName, string>> = {
  waiting: "*",
  running: ">",
  queued: "o",
  stopped: "#",
  ok: "+",
  fail: "x",
  warn: "!",
  dot: "-",
  ellipsis: "...",
};

/** The icons a terminal can show. A word always stands beside one. */
export function iconsFor(facts: Pick<TerminalFacts, "utf8">): Readonly<Record<IconName, string>> {
  return facts.utf8 ? UTF8 : ASCII;
}
