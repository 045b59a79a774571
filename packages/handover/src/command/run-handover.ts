import { readFileSync } from "node:fs";
import { ADAPTERS } from "../adapters/registry.ts";
import { HandoverError } from "../handover-error.ts";
import { fromCommand } from "./from-command.ts";
import type { HandoverExit, HandoverWorld } from "./handover-world.ts";
import { packCommand } from "./pack-command.ts";
import { parseWords, type ValuedFlag } from "./parse-words.ts";
import { brief, type Command, compare, rate, show, validate } from "./show-commands.ts";

interface Spec {
  usage: string;
  flags: readonly ValuedFlag[];
  run: Command;
}

const COMMANDS: Readonly<Record<string, Spec>> = {
  pack: {
    usage: "pack [--file <in.json>] [--agent <id>] [--goal <task>] [--out <path>] [--json]",
    flags: ["--file", "--agent", "--goal", "--out"],
    run: packCommand,
  },
  show: { usage: "show <file> [--json]", flags: [], run: show },
  validate: { usage: "validate <file> [--json]", flags: [], run: validate },
  completeness: { usage: "completeness <file> [--json]", flags: [], run: rate },
  resume: { usage: "resume <file> [--json]", flags: [], run: brief },
  diff: { usage: "diff <a> <b> [--json]", flags: [], run: compare },
  from: {
    usage: "from <harness> <file> [--agent <id>] [--goal <task>] [--json]",
    flags: ["--agent", "--goal"],
    run: fromCommand,
  },
};

/** Runs one call of the command and returns its exit code. It throws for nothing that a person can cause. */
export async function runHandover(world: HandoverWorld): Promise<HandoverExit> {
  const [name, ...rest] = world.words;
  if (name === "--help" || name === "-h" || name === "help") {
    world.writeOut(usage(world));
    return 0;
  }
  if (name === "--version" || name === "version") {
    world.writeOut(`${readVersion()}\n`);
    return 0;
  }
  const found = findCommand(name ?? "", rest);
  if (found === null) {
    world.writeError(`${name === undefined ? "" : `error: there is no command "${name}"\n\n`}${usage(world)}`);
    return 1;
  }
  if (rest.includes("--help") || rest.includes("-h")) {
    world.writeOut(`Usage: ${world.name ?? "handover"} ${found.spec.usage}\n`);
    return 0;
  }
  try {
    return await found.spec.run(world, parseWords(found.words, found.spec.flags));
  } catch (error) {
    world.writeError(`error: ${(error as Error).message}\n`);
    if (error instanceof HandoverError && error.code === "usage")
      world.writeError(`Usage: ${world.name ?? "handover"} ${found.spec.usage}\n`);
    return 1;
  }
}

/** `from-codex <file>` is `from codex <file>`. */
function findCommand(name: string, rest: readonly string[]): { spec: Spec; words: readonly string[] } | null {
  if (name.startsWith("from-") && COMMANDS["from"] !== undefined)
    return { spec: COMMANDS["from"], words: [name.slice("from-".length), ...rest] };
  const spec = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  return spec === undefined ? null : { spec, words: rest };
}

function usage(world: HandoverWorld): string {
  const name = world.name ?? "handover";
  const lines = Object.values(COMMANDS).map((spec) => `  ${name} ${spec.usage}`);
  return [
    "Usage:",
    ...lines,
    `  ${name} from-<harness> <file> [--agent <id>] [--goal <task>] [--json]`,
    "",
    `Harnesses: ${Object.keys(ADAPTERS).join(", ")}. "-" as <file> of from reads standard input.`,
    "HANDOVER_AGENT is the default of --agent; HANDOVER_PACKET, else .handover/packet.json, that of --out.",
    "",
  ].join("\n");
}

function readVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
