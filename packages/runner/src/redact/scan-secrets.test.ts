import { describe, expect, test } from "vitest";
import { scanSecrets } from "./scan-secrets.ts";
import { SECRET_RULES } from "./secret-rules.ts";
import { seededSecrets } from "./seeded-secrets.test-kit.ts";

describe("scanSecrets", () => {
  test("names the line, counted from 1, and the rule of each of 200 seeded secrets", () => {
    for (const { text } of seededSecrets(7, 200)) {
      const found = scanSecrets(`first\nsecond\n${text}\nlast\n`);
      expect(found.map((finding) => finding.line)).toEqual([3]);
    }
  });

  test("the seeded secrets are of every rule there is", () => {
    const found = seededSecrets(7, 200).flatMap(({ text }) => scanSecrets(text).map(({ rule }) => rule));
    expect(new Set(found)).toEqual(new Set([...SECRET_RULES.map(({ rule }) => rule), "private-key"]));
  });

  test("two rules on two lines come in order, the same stretch is named once and by its most exact rule", () => {
    const [ant, , , , ghp] = seededSecrets(9, 23);
    const text = `a = "${ant?.text}"\r\n\r\nb = "${ghp?.text}"\n`;
    expect(scanSecrets(text)).toEqual([
      { line: 1, rule: "anthropic-key" },
      { line: 3, rule: "github-token" },
    ]);
  });

  test.each([
    "AKIAIOSFODNN7EXAMPLE",
    "sk-ant-xxxxxxxxxxxxxxxxxxxxxxxx",
    "ghp_your-token-here",
    "postgres://postgres:postgres@localhost:5432/app",
    "https://user:password@example.org/",
    "postgres://${user}:${password}@host/db",
    "Authorization: Bearer <token>",
    'const marker = "-----BEGIN PRIVATE KEY-----";',
    "class=sk-chasing-dot-before-animation",
    "task-notification-20261130-a1b2c3d4",
    "git@github.com:owner/name.git",
    "see http://localhost:5173/@vite/client",
  ])("an example or ordinary code is no finding: %s", (line) => {
    expect(scanSecrets(`${line}\n`)).toEqual([]);
  });

  test("an empty text has none", () => expect(scanSecrets("")).toEqual([]));
});
