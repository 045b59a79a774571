import type { CommandSpec } from "../program/command-spec.ts";
import { firstWords, namesCommand, optionsOf, secondWords } from "./words-of.ts";

/** A completion script for fish. */
export function fishCompletion(specs: readonly CommandSpec[]): string {
  const lines = [
    "# Completion of codehands for fish: codehands completion fish > ~/.config/fish/completions/codehands.fish",
    "complete -c codehands -f",
    ...firstWords(specs).map((word) => {
      const about = specs.find((spec) => spec.path === word)?.about ?? secondWords(specs, word).join(", ");
      return `complete -c codehands -n __fish_use_subcommand -a ${word} -d ${quote(about)}`;
    }),
    ...specs.flatMap(fishLines),
  ];
  return `${lines.join("\n")}\n`;
}

function fishLines(spec: CommandSpec): string[] {
  const [first = "", second] = spec.path.split(" ");
  const seen = `__fish_seen_subcommand_from ${first}`;
  const here = second === undefined ? seen : `${seen}; and __fish_seen_subcommand_from ${second}`;
  const begin = `complete -c codehands -n ${quote(here)}`;
  const lines =
    second === undefined ? [] : [`complete -c codehands -n ${quote(seen)} -a ${second} -d ${quote(spec.about)}`];
  for (const option of optionsOf(spec)) {
    const names = option.names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
    const words = option.words.length > 0 ? ` -a ${quote(option.words.join(" "))}` : "";
    lines.push(`${begin} ${names.join(" ")}${option.takesValue ? " -x" : ""}${words} -d ${quote(option.about)}`);
  }
  const names = namesCommand(spec);
  if (names !== null) lines.push(`${begin} -a ${quote(`(${names})`)}`);
  else if (typeof spec.completes === "object") lines.push(`${begin} -a ${quote(spec.completes.join(" "))}`);
  return lines;
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
