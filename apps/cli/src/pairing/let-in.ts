import type { FoundPairing, InviterState, PairingAnswer } from "@codehands/api";
import type { LocalClient } from "@codehands/api/client";
import { accountError } from "../account/account-error.ts";
import type { Cli } from "../cli.ts";
import { CliError } from "../cli-error.ts";
import { pollUntil } from "../poll-until.ts";
import { askLine, askYes } from "../terminal/ask.ts";
import { interrupted } from "../terminal/ask-secret.ts";
import { cutTo } from "../terminal/fit.ts";
import { stripToLine } from "../terminal/strip-controls.ts";
import type { Role } from "./roles.ts";
import { sixDigits } from "./six-digits.ts";

export type Found = Extract<FoundPairing, { ok: true }>;
type Approved = Extract<PairingAnswer, { ok: true }>;
export type Revealed = Extract<InviterState, { state: "revealed" }>;

export interface LetInOptions {
  found: Found;
  /**
   * Where the digits come from once the device was seen. They exist only then: `later` says who asks and leaves the
   * pairing open for a second call that has them.
   */
  digits: { from: "option" | "stdin"; read: () => Promise<string> } | "terminal" | "later";
  roles: readonly Role[];
  /** Hears who asks, before the digits are read. */
  onSeen?: (seen: Revealed) => Promise<void>;
}

type LetIn = { device: { id: string | null; name: string } } | { asks: Revealed };

/**
 * The side that lets in: shows who asks, takes the digits that the person read on the new device (never the other way
 * round), and approves. A no, a Ctrl-C or used-up tries end the pairing, and nothing was shared.
 */
export async function letIn(cli: Cli, client: LocalClient, o: LetInOptions): Promise<LetIn> {
  const { pairingId } = o.found;
  const leaving = new AbortController();
  const giveBack = cli.onInterrupt(() => leaving.abort());
  try {
    const seen = await revealed(cli, client, { pairingId, signal: leaving.signal });
    showNewcomer(cli, seen, o.found);
    await o.onSeen?.(seen);
    if (o.digits === "later") return { asks: seen };
    const answer = await decide(cli, client, { ...o, signal: leaving.signal });
    return { device: { id: answer.device?.id ?? null, name: stripToLine(answer.device?.name ?? seen.name) } };
  } catch (error) {
    if (!isOpenStill(error)) await client.pair.cancel.mutate({ pairingId }).catch(() => undefined);
    throw error;
  } finally {
    giveBack();
  }
}

const ENDED = "The pairing is over. Nothing was shared.";
const OPEN_STILL = "wrong_digits";

/** Digits that were given from outside may be mistyped: the same call with the right ones goes on. */
function isOpenStill(error: unknown): boolean {
  return error instanceof CliError && error.code === OPEN_STILL;
}

async function revealed(
  cli: Cli,
  client: LocalClient,
  o: { pairingId: string; signal: AbortSignal },
): Promise<Revealed> {
  const look = async (): Promise<Exclude<InviterState, { state: "waiting" }> | null> => {
    const state = await client.pair.offered.mutate({ pairingId: o.pairingId });
    return state.state === "waiting" ? null : state;
  };
  const seen = await pollUntil(cli, look, { signal: o.signal });
  if (seen === null) throw interrupted(ENDED);
  if (seen.state === "revealed") return seen;
  if (seen.state === "dead") throw accountError(seen);
  throw accountError({ code: "refused", reason: "This pairing was approved already." }, "codehands devices ls");
}

function showNewcomer(cli: Cli, seen: Revealed, found: Found): void {
  if (cli.json || cli.quiet) return;
  const name = cutTo(stripToLine(seen.name) || "(no name)", 64, cli.output.facts.stderr);
  const place = found.place === null ? "" : `   near ${stripToLine(found.place)} (says the cloud)`;
  const began = found.ageSeconds === null ? "" : `   began ${Math.round(found.ageSeconds)} s ago`;
  cli.output.note(`A device asks to join your account:\n  ${name}   ${stripToLine(seen.platform)}${place}${began}`);
  cli.output.note("Only if you started this on a device in your hand.");
}

async function decide(cli: Cli, client: LocalClient, o: LetInOptions & { signal: AbortSignal }): Promise<Approved> {
  const { found, roles, signal, digits: source } = o;
  const given = typeof source === "object";
  if ((given || !found.needsDigits) && cli.canAsk && !cli.yes) {
    if (!(await askYes(cli, "Let it in?", signal))) throw no(signal);
  }
  for (;;) {
    const digits = !found.needsDigits ? null : given ? await source.read() : await askDigits(cli, signal);
    const answer = await client.pair.approve.mutate({
      pairingId: found.pairingId,
      ...(digits !== null && { digits }),
      ...(roles.length > 0 && { roles: [...roles] }),
    });
    if (answer.ok) return answer;
    const left = answer.code === "PAIR_MISMATCH" ? (answer.triesLeft ?? 0) : 0;
    if (left === 0) throw accountError(answer);
    const words = `${answer.reason} ${left === 1 ? "One try is" : `${left} tries are`} left.`;
    if (given) throw new CliError({ code: OPEN_STILL, exitCode: 5, message: words });
    cli.output.warn(words);
  }
}

async function askDigits(cli: Cli, signal: AbortSignal): Promise<string> {
  for (;;) {
    const typed = await askLine(cli, "The six digits that it shows:", signal);
    if (typed === null || typed.trim() === "") throw no(signal);
    const digits = sixDigits(typed);
    if (digits !== null) return digits;
    cli.output.note("Those are not six digits. Nothing was sent; Enter alone says no.");
  }
}

function no(signal: AbortSignal): CliError {
  if (signal.aborted) return interrupted(ENDED);
  const message = "The device was not let in: you said no. Nothing was shared with it.";
  return new CliError({ code: "declined", exitCode: 10, message, hint: "codehands devices ls" });
}
