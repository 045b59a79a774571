import type { BegunPairing, NewcomerState } from "@codehands/api";
import type { LocalClient } from "@codehands/api/client";
import { accountError } from "../account/account-error.ts";
import type { Cli } from "../cli.ts";
import { CliError } from "../cli-error.ts";
import { pollUntil } from "../poll-until.ts";
import { askYes, isYes } from "../terminal/ask.ts";
import { interrupted } from "../terminal/ask-secret.ts";
import { readLine } from "../terminal/read-line.ts";
import { stripToLine } from "../terminal/strip-controls.ts";
import { spacedDigits } from "./six-digits.ts";

type Begun = Extract<BegunPairing, { ok: true }>;
type LetIn = Extract<NewcomerState, { state: "let_in" }>;

export interface Joined {
  deviceId: string;
  letInBy: string | null;
}

/**
 * The new device's side from the code on: shows the digits once they are there, asks the person (V30), and joins. A no,
 * a Ctrl-C or a failure ends the pairing, and nothing was stored.
 */
export async function beLetIn(cli: Cli, client: LocalClient, begun: Begun): Promise<Joined> {
  const { pairingId } = begun;
  const leaving = new AbortController();
  const giveBack = cli.onInterrupt(() => leaving.abort());
  try {
    return await follow(cli, client, { pairingId, signal: leaving.signal });
  } catch (error) {
    // What went wrong is what is told; a pairing that cannot be cancelled expires by itself.
    await client.pair.cancel.mutate({ pairingId }).catch(() => undefined);
    throw error;
  } finally {
    giveBack();
  }
}

async function follow(cli: Cli, client: LocalClient, o: { pairingId: string; signal: AbortSignal }): Promise<Joined> {
  const { pairingId, signal } = o;
  let shown: string | null = null;
  const look = async (): Promise<Exclude<NewcomerState, { state: "waiting" | "digits" }> | null> => {
    const seen = await client.pair.state.mutate({ pairingId });
    if (seen.state === "waiting") return null;
    if (seen.state !== "digits") return seen;
    if (shown !== seen.digits) await showDigits(cli, seen.digits);
    shown = seen.digits;
    return null;
  };
  const seen = await pollUntil(cli, look, { signal });
  if (seen === null) throw interrupted(ENDED);
  if (seen.state === "dead") throw accountError(seen, "codehands pair");
  if (seen.state === "joined") return { deviceId: seen.deviceId, letInBy: null };
  if (cli.json) await cli.output.jsonLine({ type: "let_in", ...letInLine(seen) });
  if (seen.askPerson && !(await personSaysYes(cli, seen, signal)))
    throw signal.aborted ? interrupted(ENDED) : declined();
  const joined = await client.pair.accept.mutate({ pairingId });
  if (joined.state === "joined") return { deviceId: joined.deviceId, letInBy: seen.letInBy };
  const { code, reason } = joined.state === "dead" ? joined : NOT_YET;
  throw accountError({ code, reason }, "codehands pair");
}

const ENDED = "The pairing is over. Nothing was stored.";
const NOT_YET = { code: "PAIR_EXPIRED", reason: "The pairing is not there any more. Nothing was stored." };

function letInLine({ letInBy, digits, askPerson }: LetIn): Record<string, unknown> {
  return { letInBy, digits, askPerson };
}

async function showDigits(cli: Cli, digits: string): Promise<void> {
  if (cli.json) return cli.output.jsonLine({ type: "digits", digits });
  cli.output.note(`\nType these digits on the device that lets this one in:   ${spacedDigits(digits)}\n`);
}

/**
 * A cloud that lies can let a device in to a vault of its own; only a person has seen that the other device took the
 * digits. So a terminal is always asked. A program answers on stdin, or has said with --yes that it knows.
 */
async function personSaysYes(cli: Cli, { letInBy, digits }: LetIn, signal: AbortSignal): Promise<boolean> {
  if (cli.json) return cli.yes || isYes(await readLine(cli.stdin, signal));
  const by = stripToLine(letInBy) || "a device without a name";
  return askYes(cli, `Let in by ${by}. Did that device accept the digits ${spacedDigits(digits)}?`, signal);
}

function declined(): CliError {
  const message = "This device has not joined: you said no. Nothing was stored, its keys were thrown away.";
  return new CliError({ code: "declined", exitCode: 10, message, hint: "codehands pair" });
}
