import type { LocalClient } from "@codehands/api/client";
import type { Cli } from "../cli.ts";
import { usageError } from "../cli-error.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Flags } from "../program/flags.ts";
import { iconsFor } from "../terminal/icons.ts";
import { accountError } from "./account-error.ts";
import { showRecoveryCode } from "./show-recovery-code.ts";

/** Makes a new recovery code on a device that is signed in, and shows it once: the code before it is void. */
export async function renewRecoveryCode(cli: Cli, client: LocalClient): Promise<ExitCode> {
  const answer = await client.account.renewCode.mutate();
  if (!answer.ok) throw accountError(answer);
  const { recoveryCode } = answer;
  if (cli.json) {
    await cli.output.json({ recoveryCode });
    return 0;
  }
  await showRecoveryCode(cli, recoveryCode);
  if (cli.quiet) return 0;
  const { ok } = iconsFor(cli.output.facts.stderr);
  cli.output.note(`${ok} The recovery code was replaced. The code before it is void.`);
  return 0;
}

/** Throws a usage error where a login was named as well: this device is signed in, and asks for nothing. */
export function refuseLoginWords(flags: Flags): void {
  const named = [
    flags.text("server") === undefined ? "" : "--server",
    flags.text("email") === undefined ? "" : "--email",
    flags.on("passwordStdin") ? "--password-stdin" : "",
  ].find((option) => option !== "");
  if (named !== undefined) throw usageError(`--renew and ${named} cannot go together: this device is signed in.`);
}
