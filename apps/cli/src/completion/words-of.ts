import type { CommandSpec } from "../program/command-spec.ts";

export interface OptionWords {
  /** `--agent`, `-d`. */
  names: string[];
  /** Whether a value follows. */
  takesValue: boolean;
  words: readonly string[];
  about: string;
}

const SHARED: readonly OptionWords[] = [
  { names: ["--json"], takesValue: false, words: [], about: "answer in JSON" },
  { names: ["-q", "--quiet"], takesValue: false, words: [], about: "print ids only" },
  { names: ["-y", "--yes"], takesValue: false, words: [], about: "answer every question with yes" },
  { names: ["--no-input"], takesValue: false, words: [], about: "ask nothing" },
  { names: ["-C", "--repo"], takesValue: true, words: [], about: "work in the repository of this folder" },
  { names: ["-h", "--help"], takesValue: false, words: [], about: "show help" },
];

/** The options of a command, its own and those that every command has. */
export function optionsOf(spec: CommandSpec): OptionWords[] {
  const own = (spec.flags ?? []).map((flag) => ({
    names: flag.flags.match(/(?<![\w-])--?[a-zA-Z][\w-]*/g) ?? [],
    takesValue: flag.flags.includes("<"),
    words: flag.words ?? [],
    about: flag.about,
  }));
  return [...own, ...SHARED];
}

/** The first words of all commands, each once, in their order. */
export function firstWords(specs: readonly CommandSpec[]): string[] {
  return [...new Set(specs.map((spec) => spec.path.split(" ")[0] ?? ""))];
}

/** The second words after a first one. */
export function secondWords(specs: readonly CommandSpec[], first: string): string[] {
  return specs.filter((spec) => spec.path.startsWith(`${first} `)).map((spec) => spec.path.split(" ")[1] ?? "");
}

/** Prints names of sessions for a shell: the ids, shortened, and what moves along. */
export const SESSION_NAMES = "codehands ls --no-json -q --all-repos 2>/dev/null | cut -c1-8; echo @last; echo @waiting";
