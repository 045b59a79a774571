import type { CommandSpec } from "../program/command-spec.ts";
import { firstWords, optionsOf, SESSION_NAMES, secondWords } from "./words-of.ts";

/** A completion script for bash 3.2 and newer. */
export function bashCompletion(specs: readonly CommandSpec[]): string {
  const groups = firstWords(specs).filter((first) => secondWords(specs, first).length > 0);
  const cases = specs.map((spec) => bashCase(spec)).join("\n");
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

function bashCase(spec: CommandSpec): string {
  const [first = "", second] = spec.path.split(" ");
  const options = optionsOf(spec);
  const values = options
    .filter((option) => option.words.length > 0)
    .map(
      (option) =>
        `        ${option.names.join("|")}) COMPREPLY=($(compgen -W "${option.words.join(" ")}" -- "$cur")); return ;;`,
    );
  const argument = spec.completes === "sessions" ? `$(${SESSION_NAMES})` : (spec.completes ?? []).join(" ");
  const words = `${options.flatMap((option) => option.names).join(" ")} ${argument}`.trim();
  const done = second === undefined ? "" : '\n      COMPREPLY=($(compgen -W "$words" -- "$cur")); return';
  const choose = values.length === 0 ? "" : `\n      case "$prev" in\n${values.join("\n")}\n      esac`;
  return `    "${first} ${second ?? ""}"${second === undefined ? "*" : ""})${choose}
      words="${words}"${done} ;;`;
}
