import type { Cli } from "../cli.ts";
import { askLine } from "../terminal/ask.ts";
import { paintFor } from "../terminal/paint.ts";

const KEEP =
  "This is the recovery code. It is the only way back when every device is lost, and it is shown this once.\n" +
  "Nobody can make it again, the cloud does not know it. Write it down, on paper or in a password manager:";

/**
 * Shows a recovery code once. On a terminal it stays until its last group was typed, so that it was really kept;
 * elsewhere it is the answer on stdout.
 */
export async function showRecoveryCode(cli: Cli, code: string): Promise<void> {
  const { stdout } = cli.output.facts;
  if (!cli.canAsk || !stdout.tty) return cli.output.data(`${code}\n`);
  cli.output.note(`\n${KEEP}\n`);
  await cli.output.data(`    ${paintFor(stdout)("bold", code)}\n`);
  cli.output.note("");
  for (;;) {
    const typed = await askLine(cli, "Type its last group to show that you have it:");
    if (typed === null) {
      return cli.output.warn(
        "You have not shown that you have the recovery code. It cannot be shown again: codehands recover --renew makes another one.",
      );
    }
    if (isLastGroup(typed, code)) return;
    cli.output.note("That is not its last group. Look once more at what you wrote down.");
  }
}

/** True when the text is the last group of the code, read as a code is read: without case, I and L as 1, O as 0. */
export function isLastGroup(typed: string, code: string): boolean {
  const normal = (text: string): string =>
    text.toUpperCase().replace(/[\s-]/g, "").replace(/[IL]/g, "1").replaceAll("O", "0");
  const last = normal(code.split("-").at(-1) ?? "");
  return normal(typed) === last || normal(typed) === normal(code);
}
