#!/usr/bin/env node
/**
 * Writes a session of about 50 MB whose largest line has `LARGEST` bytes, as a program would have recorded it.
 *
 *   node test/big-session.mjs FILE HARNESS LARGEST
 */
import { closeSync, openSync, writeSync } from "node:fs";

const TOTAL = 50 * 1024 * 1024;
const [, , path, harness, size] = process.argv;
const largest = Number(size);

const turn = {
  "claude-code": (by, text) => ({ type: by, message: { role: by, content: [{ type: "text", text }] } }),
  codex: (by, text) => ({
    type: "response_item",
    payload: { type: "message", role: by, content: [{ type: by === "user" ? "input_text" : "output_text", text }] },
  }),
  cursor: (by, text) => ({ role: by, content: text }),
  antigravity: (by, text) => ({ role: by, content: text }),
  codehands: (by, text) =>
    by === "user"
      ? { sessionId: "s", session: { prompt: text } }
      : { sessionId: "s", type: "message", payload: { text, role: "agent" } },
}[harness];

const file = openSync(path, "w");
const write = (by, text) => writeSync(file, `${JSON.stringify(turn(by, text))}\n`);
let written = write("user", "the goal");
const filler = "some words of an agent that goes on and on about its work\n".repeat(300);
for (let at = 0; written < TOTAL / 2; at++) written += write("assistant", `- step ${at}\n${filler}`);
// A tool's output, a pasted log: something that stands in one line of the file.
written += write("assistant", `- a large one\n${"x".repeat(70)}\n`.repeat(Math.ceil(largest / 90)).slice(0, largest));
for (let at = 0; written < TOTAL; at++) written += write("assistant", `- later step ${at}\n${filler}`);
written += write("assistant", "- the last step");
closeSync(file);
process.stdout.write(`${written}\n`);
