import type { Cli } from "../cli.ts";
import { readLine } from "./read-line.ts";

type Asked = Pick<Cli, "stdin" | "output">;

/** Asks on stderr and reads one line of the person's answer; null when input ended instead, or `signal` aborted. */
export function askLine(cli: Asked, question: string, signal?: AbortSignal): Promise<string | null> {
  cli.output.ask(question);
  // The line is edited by the terminal itself, and Ctrl-C stays Ctrl-C.
  return readLine(cli.stdin, signal);
}

/** Asks a question that no is the answer to unless the person says yes. */
export async function askYes(cli: Asked, question: string, signal?: AbortSignal): Promise<boolean> {
  return isYes(await askLine(cli, `${question} [y/N]`, signal));
}

/** True for `y` and `yes` alone. */
export function isYes(answer: string | null): boolean {
  return answer !== null && /^y(es)?$/i.test(answer.trim());
}
