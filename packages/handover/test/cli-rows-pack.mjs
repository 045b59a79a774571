import { input, misuse, packed, pretty } from "./cli-files.mjs";

/** `pack`. */
export const PACK_ROWS = [
  // pack
  {
    name: "pack from stdin",
    words: ["pack", "--out", "o.json"],
    stdin: JSON.stringify(input),
    exit: 0,
    stdout: `packed ${packed.id.slice(0, 12)} to {folder}/o.json\ng — 0 done, 0 next, 0 open\n`,
    file: { "o.json": pretty(packed) },
  },
  {
    name: "pack --json prints what it wrote",
    words: ["pack", "--file", "in.json", "--out=o.json", "--json"],
    exit: 0,
    stdout: pretty(packed),
    file: { "o.json": pretty(packed) },
  },
  {
    name: "pack writes to the default path",
    words: ["pack", "--file", "in.json", "--json"],
    exit: 0,
    stdout: pretty(packed),
    file: { ".handover/packet.json": pretty(packed) },
  },
  {
    name: "pack writes where the environment says",
    words: ["pack", "--file", "in.json", "--json"],
    env: { HANDOVER_PACKET: "env/p.json" },
    exit: 0,
    stdout: pretty(packed),
    file: { "env/p.json": pretty(packed) },
  },
  {
    name: "pack with flags alone",
    words: ["pack", "--goal", "new", "--agent", "me", "--out", "o.json", "--json"],
    exit: 0,
    stdout: /"goal": "new",[^]*"handed_off_by": "me",\n {4}"created": "\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"\n/,
  },
  {
    name: "pack takes the agent of the environment",
    words: ["pack", "--out", "o.json"],
    stdin: '{"goal":"g"}',
    env: { HANDOVER_AGENT: "env" },
    exit: 0,
    stdout: /^packed /,
  },
  {
    name: "pack stamps a packet anew",
    words: ["pack", "--file", "example.json", "--out", "o.json", "--json"],
    exit: 0,
    stdout: /"handed_off_by": "claude-opus-4-8\/claude-code",[^]*"from_session": "sess-9f21"/,
  },
  {
    name: "pack without an agent",
    words: ["pack", "--out", "no.json"],
    stdin: '{"goal":"g"}',
    exit: 1,
    stderr: "error: The packet was not made: agent is missing.\n",
  },
  {
    name: "pack without anything",
    words: ["pack", "--out", "no.json"],
    exit: 1,
    stderr: "error: The packet was not made: goal is missing; agent is missing.\n",
  },
  {
    name: "pack of no JSON",
    words: ["pack", "--out", "no.json"],
    stdin: "{ not",
    exit: 1,
    stderr: "error: the input is not valid JSON: it is no JSON text\n",
  },
  {
    name: "pack of a list",
    words: ["pack", "--out", "no.json"],
    stdin: "[]",
    exit: 1,
    stderr: "error: the input must be a JSON object\n",
  },
  {
    name: "pack of a key twice",
    words: ["pack", "--out", "no.json"],
    stdin: '{"goal":"a","goal":"b"}',
    exit: 1,
    stderr: 'error: the input is not valid JSON: the key "goal" stands twice in one object\n',
  },
  {
    name: "pack of a misspelt field",
    words: ["pack", "--out", "no.json"],
    stdin: JSON.stringify({ ...input, nextsteps: [] }),
    exit: 1,
    stderr: "error: The packet was not made: nextsteps is not a field that it takes.\n",
  },
  {
    name: "pack of a tampered packet",
    words: ["pack", "--file", "tampered.json", "--goal", "g", "--out", "no.json"],
    exit: 1,
    stderr:
      "error: The packet was not made: the input was changed after it got its id. Take the id out if the change is yours.\n",
  },
  {
    name: "pack of a file that is not there",
    words: ["pack", "--file", "none.json"],
    exit: 1,
    stderr: /^error: none\.json cannot be read: ENOENT/,
  },
  {
    name: "pack with a bare argument",
    words: ["pack", "in.json"],
    exit: 1,
    stderr: misuse("pack", "pack takes no argument: use --file in.json"),
  },
  { name: "pack with half a flag", words: ["pack", "--out"], exit: 1, stderr: misuse("pack", "--out needs a value") },
];
