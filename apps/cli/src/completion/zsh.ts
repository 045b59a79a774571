import type { CommandSpec } from "../program/command-spec.ts";
import { firstWords, longestFirst, namesCommand, optionsOf, SESSION_NAMES, secondWords } from "./words-of.ts";

/** A completion script for zsh. */
export function zshCompletion(specs: readonly CommandSpec[]): string {
  const groups = firstWords(specs).filter((first) => secondWords(specs, first).length > 0);
  const first = firstWords(specs).map((word) => `    ${quote(`${word}:${aboutOf(specs, word)}`)}`);
  const seconds = groups.map((group) => `    ${group}) choices=(${described(specs, group)}) ;;`);
  return `#compdef codehands
# Completion of codehands for zsh: codehands completion zsh > "\${fpath[1]}/_codehands"
_codehands_sessions() {
  local -a names
  names=(\${(f)"$(${SESSION_NAMES})"})
  compadd -a names
}
_codehands() {
  local -a commands choices options
  commands=(
${first.join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  case "\${words[2]}" in
${seconds.join("\n")}
  esac
  if (( CURRENT == 3 && \${#choices} > 0 )) && [[ "\${words[3]}" != -* ]]; then
    _describe 'command' choices
    return
  fi
  case "\${words[2]} \${words[3]}" in
${longestFirst(specs).map(zshCase).join("\n")}
  esac
}
if [ "$funcstack[1]" = "_codehands" ]; then _codehands "$@"; else compdef _codehands codehands; fi
`;
}

function zshCase(spec: CommandSpec): string {
  const isPair = spec.path.includes(" ");
  const options = optionsOf(spec).flatMap((option) =>
    option.names.map((name) => {
      const value =
        option.words.length > 0
          ? `(${option.words.join(" ")})`
          : name === "-C" || name === "--repo"
            ? "_files -/"
            : " ";
      return quote(`${name}[${option.about.replace(/[[\]:]/g, "")}]${option.takesValue ? `:value:${value}` : ""}`);
    }),
  );
  const names = namesCommand(spec);
  const argument =
    spec.completes === "sessions"
      ? ["'*:session:_codehands_sessions'"]
      : names !== null
        ? [quote(`*:name:{compadd -- $(${names})}`)]
        : typeof spec.completes === "object"
          ? [quote(`*:word:(${spec.completes.join(" ")})`)]
          : ["'*: :_files'"];
  const shift = isPair ? "shift words; (( CURRENT-- )); " : "";
  return `    ${quote(spec.path)}${isPair ? "" : `*|${quote(spec.path)}`})
      ${shift}shift words; (( CURRENT-- ))
      _arguments ${[...options, ...argument].join(" ")} ;;`;
}

function aboutOf(specs: readonly CommandSpec[], first: string): string {
  const seconds = secondWords(specs, first);
  const about = seconds.length > 0 ? seconds.join(", ") : (specs.find((spec) => spec.path === first)?.about ?? "");
  return about.replaceAll(":", "");
}

function described(specs: readonly CommandSpec[], group: string): string {
  return specs
    .filter((spec) => spec.path.startsWith(`${group} `))
    .map((spec) => quote(`${spec.path.slice(group.length + 1)}:${spec.about.replaceAll(":", "")}`))
    .join(" ");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
