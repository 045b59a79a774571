import { draft, FILES, misuse, pretty, USAGE_OF } from "./cli-files.mjs";

/** The commands that read sessions, and what is no command. */
export const FROM_ROWS = [
  // from, from-<harness>
  { name: "from", words: ["from", "claude-code", "session.jsonl"], exit: 0, stdout: pretty(draft) },
  {
    name: "from with --agent and --goal",
    words: ["from", "claude-code", "session.jsonl", "--agent", "x", "--goal", "y", "--json"],
    exit: 0,
    stdout: pretty({ ...draft, goal: "y", agent: "x" }),
  },
  {
    name: "from standard input",
    words: ["from", "claude-code", "-"],
    stdin: FILES["session.jsonl"],
    exit: 0,
    stdout: pretty(draft),
  },
  {
    name: "from-claude-code",
    words: ["from-claude-code", "session.jsonl"],
    env: { HANDOVER_AGENT: "env" },
    exit: 0,
    stdout: pretty({ ...draft, agent: "env" }),
  },
  { name: "from-cursor", words: ["from-cursor", "session.jsonl"], exit: 0, stdout: pretty(draft) },
  { name: "from-codex of another's session", words: ["from-codex", "session.jsonl"], exit: 0, stdout: /"goal": "",/ },
  {
    name: "from-antigravity of a missing file",
    words: ["from-antigravity", "none.txt"],
    exit: 1,
    stderr: /^error: none\.txt cannot be read: ENOENT/,
  },
  {
    name: "from without a harness",
    words: ["from"],
    exit: 1,
    stderr: misuse(
      "from",
      "from requires a <harness> and a <file>; known: claude-code, codex, cursor, antigravity, codehands",
    ),
  },
  {
    name: "from an unknown harness",
    words: ["from", "nope", "session.jsonl"],
    exit: 1,
    stderr: misuse("from", 'there is no adapter for "nope"; known: claude-code, codex, cursor, antigravity, codehands'),
  },
  {
    name: "from without a file",
    words: ["from-codex"],
    exit: 1,
    stderr: misuse("from", "from codex requires a <file>"),
  },
  // the command itself
  { name: "nothing", words: [], exit: 1, stderr: /^Usage:\n {2}handover pack / },
  {
    name: "an unknown command",
    words: ["frobnicate"],
    exit: 1,
    stderr: /^error: there is no command "frobnicate"\n\nUsage:\n/,
  },
  {
    name: "a name of an object's own",
    words: ["constructor"],
    exit: 1,
    stderr: /^error: there is no command "constructor"/,
  },
  { name: "help", words: ["--help"], exit: 0, stdout: /^Usage:\n[^]*from-<harness> <file>/ },
  { name: "help of one command", words: ["diff", "--help"], exit: 0, stdout: `Usage: handover ${USAGE_OF.diff}\n` },
  { name: "the version", words: ["--version"], exit: 0, stdout: /^\d+\.\d+\.\d+\n$/ },
];
