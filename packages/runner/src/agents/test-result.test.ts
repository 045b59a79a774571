import { describe, expect, it } from "vitest";
import { recording, replay } from "./replay.test-kit.ts";
import { isTestCommand, testVerdict } from "./test-result.ts";

const verdict = (output: string, change: { command?: string; exitCode?: number | null } = {}) =>
  testVerdict({ command: "npm test", testCommands: ["npm test"], exitCode: 0, ...change, output });

describe("isTestCommand", () => {
  it.each([
    "npm test",
    "npm t",
    "npm run test:unit -- --watch=false",
    "pnpm -r test",
    "pnpm --filter app test",
    "yarn workspace app test",
    "bun test",
    "cd packages/a && npm test",
    "npm test 2>&1 | tail -12",
    "npm test || true",
    "CI=1 FORCE_COLOR=0 npm test",
    "timeout 60 npm test",
    "(npm test)",
    "/bin/bash -lc 'npm test'",
    'bash -c "cd a && pytest -q"',
    "npx vitest run src",
    "pnpm exec jest",
    "node_modules/.bin/mocha",
    "node --test",
    "node --import tsx --test src",
    "python3 -m pytest tests",
    "python -m unittest",
    "go test ./...",
    "cargo test --all",
    "cargo nextest run",
    "bundle exec rspec",
    "dotnet test",
    "./gradlew test",
    "mvn -q test",
    "make check",
  ])("%s", (command) => {
    expect(isTestCommand(command, [])).toBe(true);
  });

  it.each([
    "npm install",
    "npm run build",
    "npm testing",
    "echo npm test",
    "git commit -m 'fix && npm test'",
    'grep "npm test" README.md',
    "cat test.log",
    "ls test",
    "mkdir jest",
    "",
    "node test.js",
    "go build ./...",
  ])("not: %s", (command) => {
    expect(isTestCommand(command, [])).toBe(false);
  });

  it("knows what was configured, as whole words", () => {
    expect(isTestCommand("./check.sh  fast --all", ["./check.sh fast"])).toBe(true);
    expect(isTestCommand("./check.sh faster", ["./check.sh fast"])).toBe(false);
    expect(isTestCommand("anything", ["", " "])).toBe(false);
  });

  it("stays quick on a line that is made to be slow", () => {
    for (const hostile of [
      "npm ".repeat(50_000),
      "(".repeat(100_000),
      `A=${"'".repeat(50_000)}`,
      "-x ".repeat(50_000),
    ]) {
      isTestCommand(`npm ${hostile}`, []);
      isTestCommand(hostile, ["npm test"]);
    }
  });
});

describe("testVerdict", () => {
  it("passed: exit code 0 and an output without a failure", () => {
    expect(verdict("ok 1 - adds\n# pass 2\n# fail 0\n# skipped 1\n")).toEqual({
      passed: true,
      counts: { passed: 2, failed: 0, skipped: 1 },
    });
    expect(verdict("everything is fine")).toEqual({ passed: true });
  });

  it("failed: any other exit code, whatever was printed", () => {
    expect(verdict("# pass 2\n# fail 0", { exitCode: 1 })).toMatchObject({ passed: false });
    expect(verdict("", { exitCode: 127 })).toEqual({ passed: false });
  });

  it("C018 nothing printed, or not run: not guessed", () => {
    expect(verdict("")).toBeNull();
    expect(verdict(" \n")).toBeNull();
    expect(verdict("denied", { exitCode: null })).toBeNull();
  });

  it("an exit code that belongs to another command proves nothing; a summary does", () => {
    expect(verdict("last line of something", { command: "npm test | tail -1" })).toBeNull();
    expect(verdict("done", { command: "npm test; echo done" })).toBeNull();
    expect(verdict("# pass 2\n# fail 0", { command: "npm test | tail -2" })).toMatchObject({ passed: true });
    expect(verdict("all good", { command: "npm test && echo ok" })).toEqual({ passed: true });
  });

  it("a hidden failure is a failure: recorded `npm test | tail` and `npm test || true`", () => {
    const { events } = replay(recording("hidden-test-failure"));
    const results = events.filter((event) => event.type === "test.result").map((event) => event.payload);
    expect(results).toMatchObject([
      { command: "npm test 2>&1 | tail -12", passed: false, counts: { passed: 0, failed: 2 } },
      {
        command: "npm test || true",
        passed: false,
        failed: ["formats a date as YYYY-MM-DD", "pads the month and the day"],
      },
    ]);
    const codes = events.flatMap((event) => (event.type === "command.finished" ? [event.payload.exitCode] : []));
    expect(codes).toEqual([0, 0]);
  });

  it("names at most fifty failed tests", () => {
    const output = Array.from({ length: 200 }, (_, index) => `not ok ${index + 1} - test ${index + 1}`).join("\n");
    expect(verdict(output)?.failed).toHaveLength(50);
  });

  it("a huge output is read in one pass", () => {
    expect(verdict(`${"not a test line, only words ".repeat(40_000)}\n`.repeat(4))).toEqual({ passed: true });
    expect(verdict(`${" ".repeat(2_000_000)}\n# pass 1`)).toMatchObject({ passed: true });
  });
});
