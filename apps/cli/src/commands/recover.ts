import type { Recovered, RecoverInput } from "@codehands/api";
import type { LocalClient } from "@codehands/api/client";
import { accountError } from "../account/account-error.ts";
import { readCredentials } from "../account/read-credentials.ts";
import { refuseLoginWords, renewRecoveryCode } from "../account/renew-recovery-code.ts";
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

/**
 * `codehands recover`: joins the account with the recovery code, which is used up, and shows the new one. With `--renew`
 * on a device that is signed in: only makes a new code.
 */
export async function recover(cli: Cli, { flags }: Call): Promise<ExitCode> {
  const renews = flags.on("renew");
  if (renews) refuseLoginWords(flags);
  const client = await cli.daemon.client();
  if (renews) return renewRecoveryCode(cli, client);
  await refuseSignedIn(client, "codehands recover --renew");
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
  await offerRemoval(cli, client, others);
  return 0;
}

type Others = Extract<Recovered, { ok: true }>["others"];

/** Names the other devices, of which one may be lost. Their names are sealed: they come with the first exchange. */
async function offerRemoval(cli: Cli, client: LocalClient, others: Others): Promise<void> {
  if (others.length === 0) return;
  await client.sync.now.mutate();
  const { devices } = await client.devices.list.query();
  cli.output.note("The other devices of the account. Remove one that is lost:");
  for (const { id, name, platform } of others) {
    const known = devices.find((device) => device.id === id)?.name ?? name ?? "";
    const words = `${stripToLine(known) || "(no name)"} (${stripToLine(platform)})`;
    cli.output.note(`  ${words}   codehands devices revoke ${id.slice(0, 8)}`);
  }
}
