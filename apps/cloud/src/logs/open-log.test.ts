import { expect, test } from "vitest";
import { openLog } from "./open-log.ts";

const lines: string[] = [];
const log = openLog({ level: "info", write: (line) => lines.push(line) });

test("each line is JSON with a time, a level and what it says", () => {
  lines.length = 0;
  log.warn({ path: "/readyz", status: 503 }, "answered");
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: 40, path: "/readyz", status: 503, msg: "answered" });
});

test("V36 no secret and no e-mail address is in a line, wherever it stood; ids stay", () => {
  const token = "Zm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9";
  const id = "0198c5f0-1111-7000-8000-000000000001";
  lines.length = 0;
  const detail = "Key (email)=(ann.o'neil+x@sub.example.org) already exists.";
  log.error(
    {
      error: Object.assign(new Error(detail), { cause: new Error("postgres://user:pa55word@db:5432/x refused") }),
      headers: { authorization: `Bearer ${token}`, cookie: "__Host-codehands.login=abc.def" },
      password: 'with "quotes" in it',
      note: `token ${token} of ${id}; codehands.login=${"x".repeat(20)}`,
    },
    `could not tell somebody@example.org`,
  );
  const [line = ""] = lines;
  for (const secret of ["@sub", "somebody@", "pa55word", token, "abc.def", "quotes", "xxxxx"])
    expect(line).not.toContain(secret);
  expect(JSON.parse(line)).toMatchObject({ note: expect.stringContaining(id) });
  expect(line).toContain("already exists");
});

test("a level leaves out what is less important", () => {
  const few: string[] = [];
  const quiet = openLog({ level: "error", write: (line) => few.push(line) });
  quiet.info({}, "a");
  quiet.warn({}, "b");
  quiet.error({}, "c");
  expect(few).toHaveLength(1);
});
