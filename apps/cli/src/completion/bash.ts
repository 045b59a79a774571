import type { CommandSpec } from "../program/command-spec.ts";
import { firstWords, longestFirst, namesCommand, optionsOf, secondWords, wordsAfter } from "./words-of.ts";

/** A completion script for bash 3.2 and newer. */
export function bashCompletion(specs: readonly CommandSpec[]): string {
  // A group that is a command as well offers its second words beside its options.
  const isCommand = (path: string): boolean => specs.some((spec) => spec.path === path);
  const groups = firstWords(specs).filter((first) => secondWords(specs, first).length > 0 && !isCommand(first));
  const cases = longestFirst(specs)
    .map((spec) => bashCase(spec, specs))
    .join("\n");
  const groupCases = groups
    .map((first) => `    "${first}") words="${secondWords(specs, first).join(" ")}" ;;`)
    .join("\n");
  return `# Completion of codehands for bash: source <(codehands completion bash)
_codehands() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" first="" second="" word words=""
  local i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$word" in
      -C|--repo) i=$((i + 1)) ;;
      -*) ;;
      *) if [ -z "$first" ]; then first="$word"; elif [ -z "$second" ]; then second="$word"; fi ;;
    esac
  done
  case "$prev" in
    -C|--repo) COMPREPLY=($(compgen -d -- "$cur")); return ;;
  esac
  case "$first $second" in
    " ") words="${firstWords(specs).join(" ")} --help --version" ;;
${cases}
  esac
  case "$first" in
${groupCases}
    *) second="-" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _codehands codehands
`;
}

function bashCase(spec: CommandSpec, specs: readonly CommandSpec[]): string {
  const [first = "", second] = spec.path.split(" ");
  const options = optionsOf(spec);
  const values = options
    .filter((option) => option.words.length > 0)
    .map(
      (option) =>
        `        ${option.names.join("|")}) COMPREPLY=($(compgen -W "${option.words.join(" ")}" -- "$cur")); return ;;`,
    );
  const names = namesCommand(spec);
  const argument = names === null ? wordsAfter(spec, specs).join(" ") : `$(${names})`;
  const words = `${options.flatMap((option) => option.names).join(" ")} ${argument}`.trim();
  const done = second === undefined ? "" : '\n      COMPREPLY=($(compgen -W "$words" -- "$cur")); return';
  const choose = values.length === 0 ? "" : `\n      case "$prev" in\n${values.join("\n")}\n      esac`;
  return `    "${first} ${second ?? ""}"${second === undefined ? "*" : ""})${choose}
      words="${words}"${done} ;;`;
}
