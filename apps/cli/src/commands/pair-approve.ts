import type { LocalClient } from "@codehands/api/client";
import { accountError } from "../account/account-error.ts";
import type { Cli } from "../cli.ts";
import { usageError } from "../cli-error.ts";
import type { ExitCode } from "../exit-code.ts";
import { type Found, type LetInOptions, letIn, type Revealed } from "../pairing/let-in.ts";
import { rolesFrom } from "../pairing/roles.ts";
import { sixDigits } from "../pairing/six-digits.ts";
import { tellLetIn } from "../pairing/tell-let-in.ts";
import type { Call } from "../program/command-spec.ts";
import type { Flags } from "../program/flags.ts";
import { readLine } from "../terminal/read-line.ts";
import { stripToLine } from "../terminal/strip-controls.ts";

/**
 * `codehands pair approve`: lets a device in that shows this code. Its digits show only after it was looked up, so a
 * program gives them on stdin, or calls twice: the first call ends with exit 8 and says who asks, the second one brings
 * the digits for the same code.
 */
export async function pairApprove(cli: Cli, { args, flags }: Call): Promise<ExitCode> {
  const digits = digitsFrom(cli, flags);
  const client = await cli.daemon.client();
  const named = args[0] ?? "";
  const found = await findPairing(client, named);
  const done = await letIn(cli, client, { found, digits, roles: rolesFrom(flags) });
  if ("asks" in done) return tellAsking(cli, { named, found, asks: done.asks });
  const { device } = done;
  if (cli.json) await cli.output.json({ device });
  else await tellLetIn(cli, device);
  return 0;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** By the code that the new device shows, or by the id that a first call told a program. */
async function findPairing(client: LocalClient, named: string): Promise<Found> {
  if (UUID.test(named)) {
    return { ok: true, pairingId: named, platform: "", place: null, ageSeconds: null, needsDigits: true };
  }
  const found = await client.pair.lookUp.mutate({ code: named });
  if (!found.ok) throw accountError(found);
  return found;
}

function digitsFrom(cli: Cli, flags: Flags): LetInOptions["digits"] {
  const given = flags.text("digits");
  if (flags.on("digitsStdin")) {
    if (given !== undefined) throw usageError("--digits and --digits-stdin cannot go together.");
    return { from: "stdin", read: async () => checked((await readLine(cli.stdin)) ?? "", "--digits-stdin") };
  }
  if (given === undefined) return cli.canAsk ? "terminal" : "later";
  const digits = checked(given, "--digits");
  return { from: "option", read: async () => digits };
}

function checked(typed: string, option: string): string {
  const digits = sixDigits(typed);
  if (digits === null) throw usageError(`${option} takes the six digits that the new device shows.`);
  return digits;
}

async function tellAsking(cli: Cli, o: { named: string; found: Found; asks: Revealed }): Promise<ExitCode> {
  const { pairingId, place, ageSeconds } = o.found;
  const { name, platform } = o.asks;
  // As one word, so that it can be copied into a shell.
  const code = stripToLine(o.named).trim().replace(/\s+/g, "-");
  if (cli.json) await cli.output.json({ asks: { code, pairingId, name, platform, place, ageSeconds } });
  else if (cli.quiet) await cli.output.data(`${pairingId}\n`);
  else cli.output.note(`It shows six digits now:   codehands pair approve ${code} --digits NNNNNN`);
  return 8;
}
