import { HandoverError } from "../handover-error.ts";

export interface ParsedWords {
  args: string[];
  flags: ReadonlyMap<string, string>;
  json: boolean;
}

/** The flags that take a value. */
const VALUED = ["--file", "--agent", "--goal", "--out"] as const;
export type ValuedFlag = (typeof VALUED)[number];

/** Reads words behind a command: its arguments, and the flags that it takes. Throws a usage error that names the word. */
export function parseWords(words: readonly string[], known: readonly ValuedFlag[]): ParsedWords {
  const args: string[] = [];
  const flags = new Map<string, string>();
  let json = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--") {
      args.push(...words.slice(at + 1));
      break;
    }
    if (word === "--json") json = true;
    else if (!word.startsWith("-") || word === "-") args.push(word);
    else {
      const equals = word.indexOf("=");
      const name = equals === -1 ? word : word.slice(0, equals);
      if (!known.some((flag) => flag === name)) throw new HandoverError("usage", `unknown flag ${name}`);
      const value = equals === -1 ? words[++at] : word.slice(equals + 1);
      if (value === undefined) throw new HandoverError("usage", `${name} needs a value`);
      flags.set(name, value);
    }
  }
  return { args, flags, json };
}
