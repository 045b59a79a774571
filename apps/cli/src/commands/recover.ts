import type { RecoverInput } from "@codehands/api";
import { accountError } from "../account/account-error.ts";
import { readCredentials } from "../account/read-credentials.ts";
import { showRecoveryCode } from "../account/show-recovery-code.ts";
import { refuseSignedIn } from "../account/signed-in.ts";
import type { Cli } from "../cli.ts";
import { usageError } from "../cli-error.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Call } from "../program/command-spec.ts";
import { askLine } from "../terminal/ask.ts";
import { iconsFor } from "../terminal/icons.ts";
import { readLine } from "../terminal/read-line.ts";
import { stripToLine } from "../terminal/strip-controls.ts";

/** `codehands recover`: joins the account with the recovery code, which is used up, and shows the new one. */
export async function recover(cli: Cli, { flags }: Call): Promise<ExitCode> {
  const client = await cli.daemon.client();
  await refuseSignedIn(client);
  const credentials = await readCredentials(cli, client, { flags });
  const code = flags.on("passwordStdin") ? await readLine(cli.stdin) : await askLine(cli, "Recovery code:");
  if (code === null || code.trim() === "") {
    throw usageError("There is no recovery code. With --password-stdin it is the second line of stdin.");
  }
  const input: RecoverInput = { ...credentials, code: code.trim() };
  const answer = await client.account.recover.mutate(input);
  if (!answer.ok) throw accountError(answer);
  const { account, recoveryCode, others, caution } = answer;
  if (cli.json) {
    await cli.output.json({ account, recoveryCode, others, caution });
    return 0;
  }
  await showRecoveryCode(cli, recoveryCode);
  if (cli.quiet) return 0;
  const { ok } = iconsFor(cli.output.facts.stderr);
  cli.output.note(`${ok} This device is a member again. The code you used is void, the new one is the only one.`);
  cli.output.warn(caution);
  if (others.length > 0) cli.output.note("The other devices of the account. Remove one that is lost:");
  for (const { id, name, platform } of others) {
    const words = `${stripToLine(name ?? "without a name")} (${stripToLine(platform)})`;
    cli.output.note(`  ${words}   codehands devices revoke ${id.slice(0, 8)}`);
  }
  return 0;
}
