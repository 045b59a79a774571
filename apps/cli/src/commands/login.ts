import { accountError } from "../account/account-error.ts";
import { readCredentials } from "../account/read-credentials.ts";
import { showRecoveryCode } from "../account/show-recovery-code.ts";
import { refuseSignedIn } from "../account/signed-in.ts";
import type { Cli } from "../cli.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Call } from "../program/command-spec.ts";
import { renderAccount } from "../render/account-lines.ts";

/** `codehands login`: logs in. A login brings no keys: pairing or the recovery code does. */
export async function login(cli: Cli, { flags }: Call): Promise<ExitCode> {
  const client = await cli.daemon.client();
  await refuseSignedIn(client);
  const credentials = await readCredentials(cli, client, { flags });
  const answer = await client.account.logIn.mutate(credentials);
  if (!answer.ok) throw accountError(answer);
  const { account, recoveryCode } = answer;
  if (cli.json) {
    await cli.output.json({ account, recoveryCode });
    return 0;
  }
  if (recoveryCode !== null) await showRecoveryCode(cli, recoveryCode);
  if (!cli.quiet) cli.output.note(renderAccount(account, null, cli.output.facts.stderr));
  return 0;
}
