import { accountError } from "../account/account-error.ts";
import { readCredentials } from "../account/read-credentials.ts";
import { showRecoveryCode } from "../account/show-recovery-code.ts";
import { refuseSignedIn } from "../account/signed-in.ts";
import type { Cli } from "../cli.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Call } from "../program/command-spec.ts";
import { iconsFor } from "../terminal/icons.ts";

/** `codehands signup`: makes an account with this device as its first, and shows the recovery code once. */
export async function signup(cli: Cli, { flags }: Call): Promise<ExitCode> {
  const client = await cli.daemon.client();
  await refuseSignedIn(client);
  const credentials = await readCredentials(cli, client, { flags, isNew: true });
  const answer = await client.account.signUp.mutate(credentials);
  if (!answer.ok) throw accountError(answer);
  const { account, recoveryCode } = answer;
  if (cli.json) {
    await cli.output.json({ account, recoveryCode });
    return 0;
  }
  if (recoveryCode !== null) await showRecoveryCode(cli, recoveryCode);
  if (cli.quiet) return 0;
  const { ok } = iconsFor(cli.output.facts.stderr);
  cli.output.note(`${ok} Signed up as ${credentials.email}. This device is the first of the account, and syncs.`);
  cli.output.note(`On another device:   codehands pair --server ${credentials.cloudUrl}`);
  return 0;
}
