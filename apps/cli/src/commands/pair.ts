import type { BegunPairing } from "@codehands/api";
import { readInvitation } from "@codehands/contracts";
import { accountError } from "../account/account-error.ts";
import { cloudAddress } from "../account/cloud-address.ts";
import { refuseSignedIn } from "../account/signed-in.ts";
import type { Cli } from "../cli.ts";
import { usageError } from "../cli-error.ts";
import type { ExitCode } from "../exit-code.ts";
import { beLetIn } from "../pairing/be-let-in.ts";
import { drawQr } from "../pairing/draw-qr.ts";
import type { Call } from "../program/command-spec.ts";
import type { Flags } from "../program/flags.ts";
import { iconsFor } from "../terminal/icons.ts";
import { paintFor } from "../terminal/paint.ts";
import { stripToLine } from "../terminal/strip-controls.ts";
import { pairPhone } from "./pair-phone.ts";

/** `codehands pair`: asks another device of the account to let this one in; with `--phone` the other way round. */
export async function pair(cli: Cli, { flags }: Call): Promise<ExitCode> {
  if (!cli.json && !cli.canAsk) {
    throw usageError(
      "Pairing asks a person. Without a terminal use --json: it writes lines and reads one yes on stdin.",
    );
  }
  const invited = invitationFrom(flags);
  if (flags.on("phone")) return pairPhone(cli, { flags });
  const client = await cli.daemon.client();
  await refuseSignedIn(client);
  const cloudUrl = await cloudAddress(cli, client, flags.text("server") ?? invited?.origin ?? undefined);
  const begun = await client.pair.begin.mutate({ cloudUrl, ...(invited && { invitation: invited.text }) });
  if (!begun.ok) throw accountError(begun);
  await showCode(cli, begun, invited !== null);
  const { deviceId, letInBy } = await beLetIn(cli, client, begun);
  if (cli.json) await cli.output.jsonLine({ type: "joined", deviceId, letInBy });
  else if (cli.quiet) await cli.output.data(`${deviceId}\n`);
  else {
    const by = letInBy === null ? "" : `, let in by ${stripToLine(letInBy)}`;
    const { ok } = iconsFor(cli.output.facts.stdout);
    await cli.output.data(`${ok} This device has joined the account${by}. Its sessions sync from now on.\n`);
  }
  return 0;
}

/** The invitation that was given, with the cloud that it names; null without one. */
function invitationFrom(flags: Flags): { text: string; origin: string | null } | null {
  const text = flags.text("invitation");
  if (flags.on("phone")) {
    if (text !== undefined) throw usageError("--phone invites, --invitation answers: they cannot go together.");
    if (flags.text("server") !== undefined)
      throw usageError("--phone invites to the cloud that this device is signed in to: it takes no --server.");
  }
  if (!flags.on("phone") && flags.list("roles").length > 0)
    throw usageError("--roles goes with --phone: what this device may is said by the one that lets it in.");
  if (text === undefined) return null;
  const read = readInvitation(text);
  if (read === null) {
    const message = "--invitation takes what codehands pair --phone shows: https://hands.example.org/pair#i.…";
    throw usageError(message, "codehands pair --phone");
  }
  return { text, origin: read.origin };
}

async function showCode(cli: Cli, begun: Extract<BegunPairing, { ok: true }>, isInvited: boolean): Promise<void> {
  const { pairingId, userCode, qrText, expiresAt } = begun;
  if (cli.json) return cli.output.jsonLine({ type: "code", pairingId, userCode, qrText, expiresAt });
  if (isInvited) {
    cli.output.note("The device that invites sees this one now. Waiting for it, Ctrl-C to stop.");
    return;
  }
  const { stderr } = cli.output.facts;
  const qr = drawQr(qrText, stderr);
  cli.output.note(
    ["On a device of the account:", `  codehands pair approve ${paintFor(stderr)("bold", userCode)}`].join("\n"),
  );
  if (qr === null) cli.output.note("\n(A QR code for a camera needs a wider terminal.)");
  else cli.output.note(["", "Or let its camera read this:", "", ...qr, ""].join("\n"));
  cli.output.note("The code holds for ten minutes. Waiting for the other device, Ctrl-C to stop.");
}
