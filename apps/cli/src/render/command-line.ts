import { cutTo, displayWidth, padTo } from "../terminal/fit.ts";
import { iconsFor } from "../terminal/icons.ts";
import { paintFor } from "../terminal/paint.ts";
import { stripToLine } from "../terminal/strip-controls.ts";
import type { TerminalFacts } from "../terminal/terminal-facts.ts";
import { duration } from "./times.ts";

export interface TestOutcome {
  passed: boolean;
  counts: { passed: number; failed: number } | null;
}

export interface EndedCommand {
  command: string;
  exitCode: number | null;
  isError: boolean;
  denied: boolean;
  durationMs: number | null;
  test: TestOutcome | null;
}

const OUTCOME_COLUMN = 58;
const LEAST_COMMAND = 20;

/** One line of a shell command with how it ended: `00:48  $ pnpm test   ✔ 42 passed  6.1s`. */
export function commandLine(
  command: EndedCommand | { command: string; running: true },
  time: string,
  facts: TerminalFacts,
): string {
  const { plain, painted } = outcomeOf(command, facts);
  const left = `  ${time}  $ ${stripToLine(command.command)}`;
  if (facts.width === null) return `${left}  ${painted}`;
  const room = Math.max(LEAST_COMMAND, facts.width - displayWidth(plain) - 2);
  return `${padTo(cutTo(left, room, facts), Math.min(OUTCOME_COLUMN, room))}  ${painted}`;
}

function outcomeOf(
  command: EndedCommand | { command: string; running: true },
  facts: TerminalFacts,
): { plain: string; painted: string } {
  const icons = iconsFor(facts);
  if ("running" in command) {
    const plain = `${icons.running} running`;
    return { plain, painted: paintFor(facts)("cyan", plain) };
  }
  const { good, words } = wordsOf(command);
  const mark = `${good ? icons.ok : icons.fail} ${words}`;
  const time = command.durationMs === null ? "" : `  ${duration(command.durationMs)}`;
  return { plain: `${mark}${time}`, painted: `${paintFor(facts)(good ? "green" : "red", mark)}${time}` };
}

function wordsOf(command: EndedCommand): { good: boolean; words: string } {
  const { test, exitCode } = command;
  if (command.denied) return { good: false, words: "denied" };
  if (test !== null) return { good: test.passed, words: testWords(test) };
  if (exitCode !== null && exitCode !== 0) return { good: false, words: `exit ${exitCode}` };
  return command.isError ? { good: false, words: "failed" } : { good: true, words: "done" };
}

/** How a test run ended: `42 passed`, `2 failed, 40 passed`. */
export function testWords(test: TestOutcome): string {
  const { counts } = test;
  if (counts === null) return test.passed ? "tests passed" : "tests failed";
  if (test.passed) return `${counts.passed} passed`;
  return counts.passed > 0 ? `${counts.failed} failed, ${counts.passed} passed` : `${counts.failed} failed`;
}
