import { expect, test } from "vitest";
import { redactSecrets } from "../packet/find-secrets.ts";
import { linesOf } from "./lines-of.ts";
import { relativePath } from "./relative-path.ts";
import { stripWrappers } from "./strip-wrappers.ts";

test("linesOf puts lines and characters together that chunks cut", async () => {
  const text = "one\r\n日本🎉\n\nlast";
  const bytes = Buffer.from(text);
  for (let size = 1; size <= bytes.length; size++) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    );
    const lines: string[] = [];
    for await (const line of linesOf(chunks)) lines.push(line);
    expect(lines).toEqual(["one\r", "日本🎉", "", "last"]);
  }
});

test.each([
  ["/repo/src/a.ts", "/repo", "src/a.ts"],
  ["/repo/src/a.ts", "/repo/", "src/a.ts"],
  ["./src//a.ts", "/repo", "src/a.ts"],
  ["src\\a.ts", null, "src/a.ts"],
  ["C:\\repo\\src\\a.ts", "C:\\repo", "src/a.ts"],
  ["/repository/a.ts", "/repo", null],
  ["/repo/../a.ts", "/repo", null],
  ["/repo", "/repo", null],
  ["../a.ts", "/repo", null],
  ["/repo/a.ts", null, null],
  ["", "/repo", null],
])("the path %j in %j is %j", (path, cwd, expected) => expect(relativePath(path, cwd)).toBe(expected));

test.each([
  ["plain", "plain"],
  ["a < b", "a < b"],
  ["<bash-input>ls</bash-input><bash-stdout>x</bash-stdout>", ""],
  ["before <ide_selection>x</ide_selection> after", "before  after"],
  ["<user_query>\nq\n</user_query>", "q"],
])("a person said in %j: %j", (text, said) => expect(stripWrappers(text)).toBe(said));

test("D-HO-15 forms of secrets, and what only looks like one", () => {
  const key = "-----BEGIN RSA PRIVATE KEY-----\nMIIE-x\n-----END RSA PRIVATE KEY-----";
  for (const secret of [
    key,
    "AKIAIOSFODNN7EXAMPLE",
    `github_pat_${"a".repeat(40)}`,
    `xoxb-${"1".repeat(12)}`,
    `eyJhbGciOiJIUzI1NiJ9.${"e".repeat(20)}.${"s".repeat(20)}`,
  ])
    expect(redactSecrets(`a ${secret} b`)).toBe("a [redacted] b");
  expect(redactSecrets("SECRET_KEY=12345678 https://me:pass@host/x")).toBe(
    "SECRET_KEY=[redacted] https://[redacted]@host/x",
  );
  for (const text of ["the sk-learn task", "https://example.com:8080/x@y", "KEY= none", "a monkey=banana12345"])
    expect(redactSecrets(text)).toBe(text);
});
