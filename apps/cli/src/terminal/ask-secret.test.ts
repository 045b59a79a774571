import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import type { Source } from "../cli.ts";
import { askSecret } from "./ask-secret.ts";
import { Output } from "./output.ts";
import { readLine } from "./read-line.ts";
import { terminalFacts } from "./terminal-facts.ts";

function terminal() {
  const raw: boolean[] = [];
  let written = "";
  const stdin: Source = new PassThrough();
  stdin.isTTY = true;
  stdin.setRawMode = (on) => raw.push(on);
  const sink = { write: (text: string) => ((written += text), true) };
  const wishes = { noColor: true, forceColor: null, term: "xterm", utf8: true, homeFolder: "" };
  const facts = terminalFacts({ isTTY: true }, wishes);
  const output = new Output({ stdout: sink, stderr: sink, facts: { stdout: facts, stderr: facts } });
  return { stdin: stdin as Source & PassThrough, output, raw, written: () => written };
}

test.each([
  ["hunter2\r", "hunter2"],
  ["hunter2\n", "hunter2"],
  ["huntex\u007fr2\r", "hunter2"],
  ["nonsense\u0015hunter2\r", "hunter2"],
  ["hun\u001b[D\u001b[3~ter2\r", "hunter2"],
  ["p\u00e4ss \u{1f511}\r", "p\u00e4ss \u{1f511}"],
  ["\u0004", null],
  ["\r", ""],
])("what is typed is taken and never shown: %j", async (typed, value) => {
  const { stdin, output, raw, written } = terminal();
  const answer = askSecret({ stdin, output }, "Password:");
  stdin.write(typed);
  expect(await answer).toBe(value);
  expect(raw).toEqual([true, false]);
  expect(written()).toBe("Password: \n");
});

test("a character that arrives in two pieces is one character", async () => {
  const { stdin, output } = terminal();
  const answer = askSecret({ stdin, output }, "Password:");
  const bytes = Buffer.from("\u00e4\r");
  stdin.write(bytes.subarray(0, 1));
  stdin.write(bytes.subarray(1));
  expect(await answer).toBe("\u00e4");
});

test("Ctrl-C is exit 130, and the terminal shows again what is typed", async () => {
  const { stdin, output, raw } = terminal();
  const answer = askSecret({ stdin, output }, "Password:");
  stdin.write("hun\u0003");
  await expect(answer).rejects.toMatchObject({ exitCode: 130, code: "interrupted" });
  expect(raw).toEqual([true, false]);
});

test("a secret and the lines after it come from one paste", async () => {
  const { stdin, output } = terminal();
  const first = askSecret({ stdin, output }, "Password:");
  stdin.write("one\ntwo\nthree");
  expect(await first).toBe("one");
  expect(await readLine(stdin)).toBe("two");
  stdin.end();
  expect(await readLine(stdin)).toBe("three");
  expect(await readLine(stdin)).toBeNull();
});
