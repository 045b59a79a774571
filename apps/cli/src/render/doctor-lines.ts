import type { DoctorReport } from "@codehands/api";
import { displayWidth, padTo } from "../terminal/fit.ts";
import { iconsFor } from "../terminal/icons.ts";
import { paintFor } from "../terminal/paint.ts";
import { stripToLine } from "../terminal/strip-controls.ts";
import type { TerminalFacts } from "../terminal/terminal-facts.ts";

const LOOKS = {
  ok: { icon: "ok", ink: "green", word: "ok" },
  warn: { icon: "warn", ink: "yellow", word: "warn" },
  fail: { icon: "fail", ink: "red", word: "fail" },
} as const;

/** What the doctor found, one line per check, with what repairs it. */
export function renderDoctor(report: DoctorReport, facts: TerminalFacts): string {
  const paint = paintFor(facts);
  const icons = iconsFor(facts);
  const texts = report.checks.map((check) => `${stripToLine(check.title)}: ${stripToLine(check.detail)}`);
  const width = Math.min(60, Math.max(0, ...texts.map(displayWidth)));
  const lines = report.checks.map((check, at) => {
    const { icon, ink, word } = LOOKS[check.status];
    const mark = `${paint(ink, icons[icon])} ${paint(ink, padTo(word, 4))}`;
    const fix = check.fix === null ? "" : `   fix: ${stripToLine(check.fix)}`;
    return `${mark}  ${fix === "" ? texts[at] : padTo(texts[at] ?? "", width)}${fix}`;
  });
  const bad = report.checks.filter((check) => check.status !== "ok").length;
  const sum = bad === 0 ? "Everything works." : `${bad} of ${report.checks.length} checks need attention.`;
  return `${[...lines, sum].join("\n")}\n`;
}
