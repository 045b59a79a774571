import type { InvitedState, MadeInvitation } from "@codehands/api";
import type { LocalClient } from "@codehands/api/client";
import { accountError, notSignedIn } from "../account/account-error.ts";
import type { Cli } from "../cli.ts";
import { CliError, usageError } from "../cli-error.ts";
import type { ExitCode } from "../exit-code.ts";
import { drawQr } from "../pairing/draw-qr.ts";
import { type Found, letIn } from "../pairing/let-in.ts";
import { phoneReach } from "../pairing/phone-reach.ts";
import { rolesFrom } from "../pairing/roles.ts";
import { sixDigits } from "../pairing/six-digits.ts";
import { tellLetIn } from "../pairing/tell-let-in.ts";
import { pollUntil } from "../poll-until.ts";
import type { Call } from "../program/command-spec.ts";
import { interrupted } from "../terminal/ask-secret.ts";
import { readLine } from "../terminal/read-line.ts";

type Invitation = Extract<MadeInvitation, { ok: true }>;
type Came = Extract<InvitedState, { state: "found" }>;

const AGAIN = "codehands pair --phone";

/**
 * `codehands pair --phone`: expects a device that has a camera, or a person who pastes an address. Whoever comes is asked
 * for digits as after a code (V29).
 */
export async function pairPhone(cli: Cli, { flags }: Pick<Call, "flags">): Promise<ExitCode> {
  const client = await cli.daemon.client();
  await checkReach(cli, client);
  const made = await client.pair.invite.mutate();
  if (!made.ok) throw accountError(made);
  await showInvitation(cli, made);
  const came = await whoComes(cli, client, made.invitation);
  const found: Found = { ...came, ok: true, needsDigits: true };
  const done = await letIn(cli, client, {
    found,
    digits: cli.json ? { from: "stdin", read: () => digitsOnStdin(cli) } : "terminal",
    roles: rolesFrom(flags),
    onSeen: async ({ name, platform }) => {
      const { pairingId, place, ageSeconds } = found;
      if (cli.json) await cli.output.jsonLine({ type: "asks", pairingId, name, platform, place, ageSeconds });
    },
  });
  if ("asks" in done) throw new TypeError("digits were to be asked for");
  const { device } = done;
  if (cli.json) await cli.output.jsonLine({ type: "approved", device });
  else await tellLetIn(cli, device);
  return 0;
}

/** Says what a phone cannot do at this address before anything is made. `--yes` invites all the same, for a computer. */
async function checkReach(cli: Cli, client: LocalClient): Promise<void> {
  const { state, cloudUrl } = await client.account.status.query();
  if (state !== "active" || cloudUrl === null) throw notSignedIn();
  const reach = phoneReach(cloudUrl);
  if (reach === "ok") return;
  if (reach === "this_machine") {
    cli.output.warn(`${cloudUrl} is this machine itself: a phone cannot reach it. A browser or a device here can.`);
    return;
  }
  const what = `A phone's browser needs https: it keeps no keys for a page that is not encrypted, and ${cloudUrl} is not.`;
  if (cli.yes) {
    cli.output.warn(`${what} Another computer can use this invitation all the same.`);
    return;
  }
  const todo =
    "Serve the cloud with --tls CERT KEY, or behind its Caddy profile, and sign in at the https address. Nothing was made; --yes invites another computer all the same.";
  const hint = "codehands serve --host 0.0.0.0 --tls CERT KEY";
  throw new CliError({ code: "needs_https", exitCode: 5, message: `${what} ${todo}`, hint });
}

async function showInvitation(cli: Cli, { invitation, qrText, expiresAt }: Invitation): Promise<void> {
  if (cli.json) return cli.output.jsonLine({ type: "invitation", invitation, qrText, expiresAt });
  const qr = drawQr(qrText, cli.output.facts.stderr);
  if (qr === null) cli.output.note("(A QR code for a camera needs a wider terminal.)");
  else cli.output.note(["Let the phone's camera read this:", "", ...qr, ""].join("\n"));
  cli.output.note(`Or on another computer:\n  codehands pair --invitation '${qrText}'`);
  cli.output.note("It holds for ten minutes and for one device. Waiting for that device, Ctrl-C to stop.");
}

/** Looks until somebody comes with it. A Ctrl-C or a failure takes the invitation back. */
async function whoComes(cli: Cli, client: LocalClient, invitation: string): Promise<Came> {
  const leaving = new AbortController();
  const giveBack = cli.onInterrupt(() => leaving.abort());
  try {
    const look = async (): Promise<Exclude<InvitedState, { state: "waiting" }> | null> => {
      const seen = await client.pair.invited.mutate({ invitation });
      return seen.state === "waiting" ? null : seen;
    };
    const seen = await pollUntil(cli, look, { signal: leaving.signal });
    if (seen === null) throw interrupted("The invitation was taken back. Nothing was shared.");
    if (seen.state === "dead") throw accountError(seen, AGAIN);
    return seen;
  } catch (error) {
    // What went wrong is what is told; an invitation that cannot be taken back expires by itself.
    await client.pair.cancel.mutate({ pairingId: invitation }).catch(() => undefined);
    throw error;
  } finally {
    giveBack();
  }
}

async function digitsOnStdin(cli: Cli): Promise<string> {
  const digits = sixDigits((await readLine(cli.stdin)) ?? "");
  if (digits === null) throw usageError("The six digits that the new device shows are a line of stdin.", AGAIN);
  return digits;
}
