import { ApiError, type LocalClient } from "@codehands/api/client";
import type { Cli } from "../cli.ts";
import type { CommandAnswer } from "../wire-types.ts";
import { refusalError } from "./refusal-error.ts";

export type DoneAnswer = Extract<CommandAnswer, { ok: true }>;

/**
 * Sends a command. When the answer gets lost it is sent once more with the same id, so that it is carried out
 * once. A refusal is thrown as a CliError; `name` is how the person names the session;
 * null when only the answer can tell.
 */
export async function sendCommand(
  cli: Cli,
  name: string | null,
  send: (client: LocalClient) => Promise<CommandAnswer>,
): Promise<DoneAnswer> {
  const answer = await askTwice(cli, send);
  if (!answer.ok) throw refusalError(answer, name ?? answer.session?.shortId ?? null);
  return answer;
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
