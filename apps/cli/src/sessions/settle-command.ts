import type { PendingCommand, SentCommand } from "@codehands/api";
import type { Cli } from "../cli.ts";
import { CliError, usageError } from "../cli-error.ts";
import { pollUntil } from "../poll-until.ts";
import type { Flags } from "../program/flags.ts";
import { sentWords, shortCommand } from "../render/sent-lines.ts";
import type { SessionView } from "../wire-types.ts";
import { fateError } from "./fate-error.ts";
import { askTwice, type DoneAnswer } from "./send-command.ts";

/** How long a person waits for another device; null for not at all. */
export interface Patience {
  /** Undefined for as long as it takes. */
  seconds: number | undefined;
}

/** What was wished with `--wait` and `--timeout`. Throws a usage error for a timeout that nothing waits for. */
export function patienceOf(flags: Flags): Patience | null {
  const seconds = flags.number("timeout");
  if (flags.on("wait")) return { seconds };
  if (seconds !== undefined) throw usageError("--timeout goes with --wait.");
  return null;
}

export type Settled = Omit<DoneAnswer, "pending"> & { pending: PendingCommand | null };

/**
 * The answer to a command as far as it is known. With patience it waits until the device has answered that the command
 * went to; a refusal that comes later is thrown like one that comes at once. `pending` stays set when it has not.
 */
export async function settleCommand(
  cli: Cli,
  answer: DoneAnswer,
  o: { name: string | null; patience: Patience | null },
): Promise<Settled> {
  const { pending } = answer;
  if (pending === undefined) return { ...answer, pending: null };
  if (o.patience === null) return { ...answer, pending };
  const sent = await awaitOutcome(cli, pending, o.patience);
  if (sent === null || sent.state === "queued" || sent.state === "delivered") {
    const state = sent?.state === "delivered" ? "delivered" : pending.state;
    return { ...answer, pending: { ...pending, state, lastHeardAt: sent?.lastHeardAt ?? pending.lastHeardAt } };
  }
  if (sent.state !== "done") throw fateError(sent, o.name, cli.now());
  const session = sent.sessionId === null ? null : await sessionOf(cli, sent.sessionId);
  return { ok: true, session, result: sent.result, pending: null };
}

async function awaitOutcome(cli: Cli, pending: PendingCommand, { seconds }: Patience): Promise<SentCommand | null> {
  const leaving = new AbortController();
  const giveBack = cli.onInterrupt(() => leaving.abort());
  let newest: SentCommand | null = null;
  if (!cli.json && !cli.quiet) cli.output.note(`Waiting: ${sentWords({ ...pending, reason: null }, cli.now())}.`);
  try {
    await pollUntil(
      cli,
      async () => {
        const { commandId } = pending;
        newest = await askTwice(cli, (client) => client.sessions.commandState.query({ commandId }));
        return newest !== null && newest.state !== "queued" && newest.state !== "delivered" ? newest : null;
      },
      { signal: leaving.signal, ...(seconds !== undefined && { patienceMs: seconds * 1_000 }) },
    );
    if (leaving.signal.aborted) throw left(pending);
    return newest;
  } finally {
    giveBack();
  }
}

/** The session as it is after the command; the record of a fresh one may come a moment after the outcome. */
function sessionOf(cli: Cli, sessionId: string): Promise<SessionView | null> {
  const look = (): Promise<SessionView | null> => askTwice(cli, (client) => client.sessions.get.query({ sessionId }));
  return pollUntil(cli, look, { patienceMs: RECORD_MS });
}

const RECORD_MS = 10_000;

function left({ commandId }: PendingCommand): CliError {
  const message = "Not waiting any longer. The command stays sent and runs when the device is back.";
  const hint = `codehands withdraw ${shortCommand(commandId)}`;
  return new CliError({ code: "interrupted", exitCode: 130, message, hint });
}
