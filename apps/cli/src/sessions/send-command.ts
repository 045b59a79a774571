import { ApiError, type LocalClient } from "@codehands/api/client";
import type { Cli } from "../cli.ts";
import type { CliError } from "../cli-error.ts";
import type { CommandAnswer } from "../wire-types.ts";
import { fateError } from "./fate-error.ts";
import { refusalError } from "./refusal-error.ts";

export type DoneAnswer = Extract<CommandAnswer, { ok: true }>;

interface Sending {
  commandId: string;
  /** How the person names the session; null when only the answer can tell. */
  name: string | null;
}

/**
 * Sends a command. When the answer gets lost it is sent once more with the same id, so that it is carried out
 * once. A refusal is thrown as a CliError, and so is that nobody knows whether it was carried out.
 */
export async function sendCommand(
  cli: Cli,
  { commandId, name }: Sending,
  send: (client: LocalClient) => Promise<CommandAnswer>,
): Promise<DoneAnswer> {
  const answer = await askTwice(cli, send).catch(async (error: unknown) => {
    throw (await doubtOf(cli, { commandId, name }, error)) ?? error;
  });
  if (!answer.ok) throw refusalError(answer, name ?? answer.session?.shortId ?? null);
  return answer;
}

/** A device that went away over a command makes a fault of the call; what is known of the command says more. */
async function doubtOf(cli: Cli, { commandId, name }: Sending, error: unknown): Promise<CliError | null> {
  if (!(error instanceof ApiError) || error.code !== "internal") return null;
  const sent = await askTwice(cli, (client) => client.sessions.commandState.query({ commandId })).catch(() => null);
  return sent?.state === "in_doubt" ? fateError(sent, name, cli.now()) : null;
}

/** Asks the daemon, and once more when it died under the question: the next one is started for the second time. */
export async function askTwice<T>(cli: Pick<Cli, "daemon">, ask: (client: LocalClient) => Promise<T>): Promise<T> {
  try {
    return await ask(await cli.daemon.client());
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "unreachable") throw error;
    return ask(await cli.daemon.client());
  }
}
