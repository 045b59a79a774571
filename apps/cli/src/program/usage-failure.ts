import { CommanderError } from "commander";
import { CliError, usageError } from "../cli-error.ts";
import { ALL_COMMANDS } from "./all-commands.ts";

/** True for what commander throws after it has shown a help text that was asked for. */
export function isHelpShown(error: CommanderError): boolean {
  return error.code === "commander.helpDisplayed";
}

/** Gives a wrong command line our words, and as the hint the help of the command it was meant for. Others pass. */
export function usageFailure(error: unknown, words: readonly string[]): unknown {
  const hint = `codehands ${[...meantCommand(words), "--help"].join(" ")}`;
  if (error instanceof CliError && error.code === "usage" && error.hint === null) {
    return usageError(error.message, hint);
  }
  if (!(error instanceof CommanderError)) return error;
  if (error.code === "commander.help") return usageError(missingSecondWord(words), hint);
  const text = error.message
    .replace(/^error: /, "")
    .replace(/\s*\n\s*/g, " ")
    .trim();
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return usageError(/[.?!)]$/.test(sentence) ? sentence : `${sentence}.`, hint);
}

/** The command that the words begin with: one or two words, or none. */
export function meantCommand(words: readonly string[]): string[] {
  const plain = words.filter((word) => !word.startsWith("-"));
  for (let at = 0; at < plain.length; at += 1) {
    const [first = "", second = ""] = plain.slice(at, at + 2);
    if (ALL_COMMANDS.some((spec) => spec.path === `${first} ${second}`)) return [first, second];
    if (ALL_COMMANDS.some((spec) => spec.path === first || spec.path.startsWith(`${first} `))) return [first];
  }
  return [];
}

function missingSecondWord(words: readonly string[]): string {
  const [first = ""] = meantCommand(words);
  const seconds = ALL_COMMANDS.filter((spec) => spec.path.startsWith(`${first} `)).map(
    (spec) => spec.path.split(" ")[1],
  );
  return `'${first}' needs one of: ${seconds.join(", ")}.`;
}
