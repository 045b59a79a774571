import type { Command } from "commander";
import { usageError } from "../cli-error.ts";
import { buildProgram } from "./build-program.ts";

/** The help of a command, or of everything for no words. Throws a usage error when there is no such command. */
export function renderHelp(words: readonly string[], width: number): string {
  let text = "";
  const write = (part: string): void => {
    text += part;
  };
  const ignore = (): Promise<void> => Promise.resolve();
  let at: Command = buildProgram({ dispatch: ignore, now: 0, writeOut: write, helpWidth: width });
  for (const word of words) {
    const next = at.commands.find((command) => command.name() === word);
    if (next === undefined) throw usageError(`There is no help for '${words.join(" ")}'.`, "codehands help");
    at = next;
  }
  at.outputHelp();
  return text;
}
