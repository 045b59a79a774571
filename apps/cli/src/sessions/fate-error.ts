import type { SentCommand } from "@codehands/api";
import { REFUSAL_CODES } from "@codehands/contracts";
import { CliError } from "../cli-error.ts";
import { sentWords } from "../render/sent-lines.ts";
import { refusalError } from "./refusal-error.ts";

/** A command that was not done by the device it went to, as the error a person reads. `name` names its session. */
export function fateError(sent: SentCommand, name: string | null, nowMs: number): CliError {
  const code = REFUSAL_CODES.find((one) => one === sent.code);
  const words = sentWords(sent, nowMs);
  if (sent.state === "refused" && code !== undefined) {
    return refusalError({ code, reason: sent.reason ?? words, next: null }, name);
  }
  return new CliError({
    code: sent.state === "refused" ? (sent.code ?? "refused") : sent.state,
    exitCode: 5,
    message: `${words.charAt(0).toUpperCase()}${words.slice(1)}.`,
    hint: name === null ? "codehands sync status" : `codehands show ${name}`,
  });
}
