import type { Cli } from "../cli.ts";
import { usageError } from "../cli-error.ts";
import { askLine } from "../terminal/ask.ts";

const MOST = 1_000_000;

/** The prompt: the argument, stdin for `-` or when it is piped, else what the person answers. Throws a usage error without one. */
export async function readPrompt(cli: Cli, argument: string | undefined): Promise<string> {
  const prompt = (await promptText(cli, argument)).trim();
  if (prompt === "") throw usageError("There is no prompt. Give it as an argument, or pipe it in.");
  if (prompt.length > MOST) throw usageError(`The prompt has ${prompt.length} characters; ${MOST} is the most.`);
  return prompt;
}

async function promptText(cli: Cli, argument: string | undefined): Promise<string> {
  if (argument !== undefined && argument !== "-") return argument;
  if (argument === "-" || cli.stdin.isTTY !== true) return readAll(cli);
  return cli.canAsk ? ((await askLine(cli, "What should be done?")) ?? "") : "";
}

async function readAll(cli: Cli): Promise<string> {
  let text = "";
  cli.stdin.setEncoding("utf8");
  for await (const chunk of cli.stdin) {
    text += chunk;
    if (text.length > 4 * MOST) break;
  }
  return text;
}
