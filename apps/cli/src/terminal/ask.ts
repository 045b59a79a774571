import { createInterface } from "node:readline";
import type { Cli } from "../cli.ts";

/** Asks on stderr and reads one line of the person's answer; null when input ended instead. */
export function askLine(cli: Pick<Cli, "stdin" | "output">, question: string): Promise<string | null> {
  cli.output.ask(question);
  // Not a terminal of readline's: the line is edited by the terminal itself, and Ctrl-C stays Ctrl-C.
  const reader = createInterface({ input: cli.stdin, terminal: false });
  return new Promise((resolve) => {
    reader.once("line", (line) => {
      resolve(line);
      reader.close();
    });
    reader.once("close", () => resolve(null));
  });
}

/** Asks a question that no is the answer to unless the person says yes. */
export async function askYes(cli: Pick<Cli, "stdin" | "output">, question: string): Promise<boolean> {
  const answer = await askLine(cli, `${question} [y/N]`);
  return answer !== null && /^y(es)?$/i.test(answer.trim());
}
