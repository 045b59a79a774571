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

/** Two words before one: `pair approve` must be tried before `pair`, which begins like it. */
export function longestFirst(specs: readonly CommandSpec[]): CommandSpec[] {
  const words = (spec: CommandSpec): number => spec.path.split(" ").length;
  return [...specs].sort((a, b) => words(b) - words(a));
}

/** Prints names of sessions for a shell: the ids, shortened, and what moves along. */
export const SESSION_NAMES = "codehands ls --no-json -q --all-repos 2>/dev/null | cut -c1-8; echo @last; echo @waiting";
/** Prints the devices of the account for a shell. */
const DEVICE_NAMES = "codehands devices ls --no-json -q 2>/dev/null | cut -c1-8";

/** The shell command that prints what a command's argument may be; null where that is fixed words, or nothing. */
export function namesCommand(spec: CommandSpec): string | null {
  if (spec.completes === "sessions") return SESSION_NAMES;
  return spec.completes === "devices" ? DEVICE_NAMES : null;
}

/** The fixed words that may follow a command, second words of its group included. */
export function wordsAfter(spec: CommandSpec, specs: readonly CommandSpec[]): string[] {
  const own = typeof spec.completes === "object" ? spec.completes : [];
  return [...secondWords(specs, spec.path), ...own];
}
