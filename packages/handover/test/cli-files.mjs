/** The files that every row of the table finds in its folder, and the texts that rows share. */
import { readFileSync } from "node:fs";

export const example = JSON.parse(
  readFileSync(new URL("../conformance/fixtures/v01-example.json", import.meta.url), "utf8"),
);
export const revised = JSON.parse(
  readFileSync(new URL("../conformance/fixtures/v11-revised.json", import.meta.url), "utf8"),
);
export const pretty = (value) => `${JSON.stringify(value, null, 2)}\n`;
export const input = { goal: "g", agent: "a", created: "2026-07-11T12:00:00Z" };
export const packed = JSON.parse(
  readFileSync(new URL("../conformance/fixtures/v03-defaults.json", import.meta.url), "utf8"),
);
export const line = (type, content) => `${JSON.stringify({ type, message: { role: type, content } })}\n`;
export const draft = {
  goal: "fix it",
  context: "on it\n- done",
  progress: ["done"],
  state: {},
  next_steps: [],
  open_questions: [],
  artifacts: [],
};

export const FILES = {
  "example.json": pretty(example),
  "revised.json": pretty(revised),
  "tampered.json": pretty({ ...example, goal: "other" }),
  "bad.json": pretty({ goal: "", context: 1 }),
  "broken.json": "{ not json",
  "in.json": JSON.stringify(input),
  "session.jsonl": line("user", "fix it") + line("assistant", "on it\n- done"),
  "escape.json": pretty({
    goal: "a\u001b[31mred",
    provenance: { handed_off_by: "a", created: "2026-07-11T12:00:00Z" },
  }),
};

export const NOT_FOUND = (name) => `error: There is no packet at {folder}/${name}.\n`;
export const USAGE_OF = {
  pack: "pack [--file <in.json>] [--agent <id>] [--goal <task>] [--out <path>] [--json]",
  show: "show <file> [--json]",
  validate: "validate <file> [--json]",
  completeness: "completeness <file> [--json]",
  resume: "resume <file> [--json]",
  diff: "diff <a> <b> [--json]",
  from: "from <harness> <file> [--agent <id>] [--goal <task>] [--json]",
};
export const misuse = (command, message) => `error: ${message}\nUsage: handover ${USAGE_OF[command]}\n`;
export const TAMPERED =
  "warning: tampered.json is not a valid packet: id is not the hash of the content: the packet was changed after it was made\n";
