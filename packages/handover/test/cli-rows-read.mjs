import { example, misuse, NOT_FOUND, pretty, TAMPERED } from "./cli-files.mjs";

/** The commands that look at packets. */
export const READ_ROWS = [
  // show
  {
    name: "show",
    words: ["show", "example.json"],
    exit: 0,
    stdout: "add PKCE to the OAuth login flow — 2 done, 2 next, 1 open\n",
  },
  { name: "show --json", words: ["show", "--json", "example.json"], exit: 0, stdout: pretty(example) },
  {
    name: "show of a tampered packet warns",
    words: ["show", "tampered.json"],
    exit: 0,
    stdout: "other — 2 done, 2 next, 1 open\n",
    stderr: TAMPERED,
  },
  {
    name: "show gives the terminal no orders",
    words: ["show", "escape.json"],
    exit: 0,
    stdout: "a [31mred — 0 done, 0 next, 0 open\n",
  },
  { name: "show of nothing", words: ["show"], exit: 1, stderr: misuse("show", "show requires a <file>") },
  { name: "show of two", words: ["show", "a", "b"], exit: 1, stderr: misuse("show", "show takes one <file>, not 2") },
  { name: "show of a missing file", words: ["show", "none.json"], exit: 1, stderr: NOT_FOUND("none.json") },
  {
    name: "show with an unknown flag",
    words: ["show", "example.json", "--bogus"],
    exit: 1,
    stderr: misuse("show", "unknown flag --bogus"),
  },
  // validate
  { name: "validate", words: ["validate", "example.json"], exit: 0, stdout: "valid: example.json\n" },
  {
    name: "validate --json",
    words: ["validate", "example.json", "--json"],
    exit: 0,
    stdout: pretty({ valid: true, errors: [] }),
  },
  {
    name: "validate of a bad packet",
    words: ["validate", "bad.json"],
    exit: 1,
    stdout:
      "invalid: bad.json has 3 errors\n  goal  EMPTY_STRING  must not be blank\n  context  WRONG_TYPE  must be a string\n  provenance  MISSING_FIELD  is missing\n",
  },
  {
    name: "validate --json of a tampered packet",
    words: ["validate", "tampered.json", "--json"],
    exit: 1,
    stdout: /^\{\n {2}"valid": false,\n[^]*"path": "id",\n {6}"code": "ID_MISMATCH"/,
  },
  {
    name: "validate of no JSON",
    words: ["validate", "broken.json"],
    exit: 1,
    stderr: "error: {folder}/broken.json is not valid JSON: it is no JSON text. Nothing was read.\n",
  },
  {
    name: "validate of nothing",
    words: ["validate"],
    exit: 1,
    stderr: misuse("validate", "validate requires a <file>"),
  },
  // completeness
  {
    name: "completeness",
    words: ["completeness", "example.json"],
    exit: 0,
    stdout:
      "completeness 1.00 (7 of 7 sections)\npresent: goal, context, progress, state, next_steps, open_questions, artifacts\nmissing: none\n",
  },
  {
    name: "completeness --json of a bad packet",
    words: ["completeness", "bad.json", "--json"],
    exit: 0,
    stdout: /^\{\n {2}"score": 0,\n {2}"total": 7,\n {2}"present": \[\],/,
    stderr: "warning: bad.json is not a valid packet: goal must not be blank, and 2 more\n",
  },
  {
    name: "completeness of nothing",
    words: ["completeness"],
    exit: 1,
    stderr: misuse("completeness", "completeness requires a <file>"),
  },
  {
    name: "completeness of a missing file",
    words: ["completeness", "none.json"],
    exit: 1,
    stderr: NOT_FOUND("none.json"),
  },
  // resume
  {
    name: "resume",
    words: ["resume", "example.json"],
    exit: 0,
    stdout:
      /^# Resuming: add PKCE to the OAuth login flow\n[^]*\n## Next steps\n\n- handle the token-exchange callback\n[^]*sess-9f21[^\n]*\n$/,
  },
  {
    name: "resume --json is a resource",
    words: ["resume", "example.json", "--json"],
    exit: 0,
    stdout: new RegExp(`^\\{\\n  "uri": "handover://packet/${example.id}",\\n  "mimeType": "text/markdown",`),
  },
  {
    name: "resume of a tampered packet warns",
    words: ["resume", "tampered.json"],
    exit: 0,
    stdout: /^# Resuming: other\n/,
    stderr: TAMPERED,
  },
  { name: "resume of nothing", words: ["resume"], exit: 1, stderr: misuse("resume", "resume requires a <file>") },
  { name: "resume of no JSON", words: ["resume", "broken.json"], exit: 1, stderr: /is not valid JSON/ },
  // diff
  {
    name: "diff",
    words: ["diff", "example.json", "revised.json"],
    exit: 0,
    stdout: "version +1\nprogress + handled callback\nnext step + ship\nstate changed cursor\n",
  },
  {
    name: "diff --json",
    words: ["diff", "revised.json", "example.json", "--json"],
    exit: 0,
    stdout: /"version_delta": -1,\n[^]*"progress_removed": \[\n {4}"handled callback"\n {2}\]/,
  },
  { name: "diff of the same", words: ["diff", "example.json", "example.json"], exit: 0, stdout: "no changes\n" },
  {
    name: "diff of one",
    words: ["diff", "example.json"],
    exit: 1,
    stderr: misuse("diff", "diff requires two <file> arguments: diff <a> <b>"),
  },
  {
    name: "diff with a missing file",
    words: ["diff", "example.json", "none.json"],
    exit: 1,
    stderr: NOT_FOUND("none.json"),
  },
];
