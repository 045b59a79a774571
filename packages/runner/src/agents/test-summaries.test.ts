import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { testVerdict } from "./test-result.ts";

// The exit code is 0 throughout: what the output says is what is tested here.
const read = (output: string) =>
  testVerdict({ command: "make check", testCommands: ["make check"], exitCode: 0, output });

interface Case {
  runner: string;
  pass: string;
  fail: string;
  counts: [passed: number, failed: number, skipped: number] | null;
  names: string[];
}

const CASES: Case[] = [
  {
    runner: "TAP",
    pass: "TAP version 13\nok 1 - a\nnot ok 2 - b # TODO later\nok 3 - c # SKIP slow\n1..3\n",
    fail: "TAP version 13\nok 1 - a\nnot ok 2 - b\n1..2\n",
    counts: null,
    names: ["b"],
  },
  {
    runner: "node:test, spec reporter",
    pass: "✔ a (1.2ms)\nℹ tests 1\nℹ pass 1\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\n",
    fail: "✔ a (1.2ms)\n✖ b (0.5ms)\nℹ tests 3\nℹ pass 1\nℹ fail 1\nℹ cancelled 0\nℹ skipped 1\nℹ todo 0\n\n✖ failing tests:\n",
    counts: [1, 1, 1],
    names: ["b"],
  },
  {
    runner: "vitest",
    pass: " ✓ src/a.test.ts (2 tests) 3ms\n\n Test Files  1 passed (1)\n      Tests  2 passed | 1 skipped (3)\n",
    fail: " ❯ src/a.test.ts (2 tests | 1 failed)\n   × adds 4ms\n\n FAIL  src/a.test.ts > adds\n\n Test Files  1 failed (1)\n      Tests  1 failed | 1 passed (2)\n",
    counts: [1, 1, 0],
    names: ["adds", "src/a.test.ts > adds"],
  },
  {
    runner: "vitest, a file that does not load",
    pass: " Test Files  2 passed (2)\n      Tests  3 passed (3)\n",
    fail: " FAIL  src/b.test.ts [ src/b.test.ts ]\nError: nope\n Test Files  1 failed | 1 passed (2)\n      Tests  3 passed (3)\n",
    counts: [3, 0, 0],
    names: [],
  },
  {
    runner: "jest",
    pass: "PASS src/a.test.js\nTests:       2 passed, 2 total\n",
    fail: "FAIL src/a.test.js\n  ✕ adds (3 ms)\n\n  ● math › adds\n\nTest Suites: 1 failed, 1 total\nTests:       1 failed, 1 skipped, 2 passed, 4 total\n",
    counts: [2, 1, 1],
    names: ["adds", "math › adds"],
  },
  {
    runner: "mocha",
    pass: "\n  ✔ adds\n\n  2 passing (5ms)\n  1 pending\n",
    fail: "\n    1) adds\n\n  2 passing (5ms)\n  1 failing\n",
    counts: [2, 1, 0],
    names: ["adds"],
  },
  {
    runner: "pytest",
    pass: "======= 2 passed, 1 skipped, 3 warnings in 0.12s =======\n",
    fail: "FAILED tests/test_a.py::test_add - assert 1 == 2\n======= 1 failed, 2 passed, 1 error in 0.12s =======\n",
    counts: [2, 2, 0],
    names: ["tests/test_a.py::test_add"],
  },
  {
    runner: "pytest -q",
    pass: "2 passed in 0.01s\n",
    fail: "1 failed, 1 passed in 0.01s\n",
    counts: [1, 1, 0],
    names: [],
  },
  {
    runner: "unittest",
    pass: "Ran 3 tests in 0.001s\n\nOK (skipped=1)\n",
    fail: "FAIL: test_add (test_a.A.test_add)\nRan 3 tests in 0.001s\n\nFAILED (failures=1, errors=1)\n",
    counts: [1, 2, 0],
    names: ["test_add (test_a.A.test_add)"],
  },
  {
    runner: "go test",
    pass: "ok  \texample.com/a\t0.003s\n",
    fail: "--- FAIL: TestAdd (0.00s)\n    a_test.go:5: nope\nFAIL\nFAIL\texample.com/a\t0.003s\nFAIL\n",
    counts: [0, 1, 0],
    names: ["TestAdd"],
  },
  {
    runner: "go test, a package that does not build",
    pass: "--- PASS: TestAdd (0.00s)\nPASS\nok  \texample.com/a\t0.003s\n",
    fail: "FAIL\texample.com/a [build failed]\nFAIL\n",
    counts: null,
    names: [],
  },
  {
    runner: "cargo test",
    pass: "test tests::adds ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n",
    fail: "test tests::adds ... FAILED\ntest result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out\n",
    counts: [1, 1, 1],
    names: ["tests::adds"],
  },
  {
    runner: "cargo nextest",
    pass: "     Summary [   0.010s] 2 tests run: 2 passed, 1 skipped\n",
    fail: "     Summary [   0.010s] 2 tests run: 1 passed, 1 failed, 0 skipped\n",
    counts: [1, 1, 0],
    names: [],
  },
  {
    runner: "rspec",
    pass: "3 examples, 0 failures, 1 pending\n",
    fail: "3 examples, 1 failure\n\nrspec ./spec/a_spec.rb:3 # A adds\n",
    counts: [2, 1, 0],
    names: ["./spec/a_spec.rb:3 # A adds"],
  },
  {
    runner: "minitest",
    pass: "4 runs, 9 assertions, 0 failures, 0 errors, 1 skips\n",
    fail: "4 runs, 9 assertions, 1 failures, 1 errors, 0 skips\n",
    counts: [2, 2, 0],
    names: [],
  },
  {
    runner: "dotnet test",
    pass: "Passed!  - Failed:     0, Passed:     2, Skipped:     0, Total:     2, Duration: 5 ms - A.dll (net8.0)\n",
    fail: "  Failed A.Tests.Adds [1 ms]\nFailed!  - Failed:     1, Passed:     2, Skipped:     1, Total:     4, Duration: 5 ms\n",
    counts: [2, 1, 1],
    names: ["A.Tests.Adds"],
  },
  {
    runner: "Maven",
    pass: "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1\n[INFO] BUILD SUCCESS\n",
    fail: "[ERROR] Tests run: 3, Failures: 1, Errors: 1, Skipped: 0\n[INFO] BUILD FAILURE\n",
    counts: [1, 2, 0],
    names: [],
  },
  {
    runner: "Gradle",
    pass: "BUILD SUCCESSFUL in 1s\n",
    fail: "ATest > adds() FAILED\n\n3 tests completed, 1 failed\nBUILD FAILED in 1s\n",
    counts: [2, 1, 0],
    names: ["ATest > adds()"],
  },
  {
    runner: "a junit report",
    pass: '<testsuites tests="2">\n  <testsuite name="a" tests="2" failures="0" errors="0" skipped="1">\n',
    fail: '  <testsuite name="a" tests="4" failures="1" errors="1" skipped="1">\n    <failure message="nope">\n',
    counts: [1, 2, 1],
    names: [],
  },
  {
    runner: "deno test",
    pass: "ok | 3 passed | 0 failed (10ms)\n",
    fail: "FAILED | 1 passed | 2 failed (10ms)\n",
    counts: [1, 2, 0],
    names: [],
  },
];

describe("what test runners print", () => {
  it.each(CASES)("$runner", ({ pass, fail, counts, names }) => {
    expect(read(pass)?.passed).toBe(true);
    const failed = read(fail);
    expect(failed?.passed).toBe(false);
    expect(failed?.counts ?? null).toEqual(
      counts === null ? null : { passed: counts[0], failed: counts[1], skipped: counts[2] },
    );
    expect(failed?.failed ?? []).toEqual(names);
  });

  it("colours and CRLF do not hide a failure", () => {
    expect(read("\u001b[1m\u001b[31m# fail 1\u001b[39m\u001b[0m\r\n")?.passed).toBe(false);
  });

  it("words that only look like failures are none", () => {
    const output =
      "log: 3 failed logins were refused\nFAILURE is a word\n  retry: not ok yet\n0 failing\n# pass 1\n# fail 0\n";
    expect(read(output)).toMatchObject({ passed: true });
  });

  it.each(["tap", "spec"])("node --test as it runs here, reporter %s", (reporter) => {
    const folder = mkdtempSync(join(tmpdir(), "node-test-"));
    try {
      const { NODE_TEST_CONTEXT: _, ...env } = process.env;
      const run = (body: string) => {
        writeFileSync(
          join(folder, "a.test.js"),
          `const test = require("node:test"); const assert = require("node:assert");\n${body}`,
        );
        try {
          return execFileSync(process.execPath, ["--test", `--test-reporter=${reporter}`], {
            cwd: folder,
            env,
            encoding: "utf8",
          });
        } catch (error) {
          return (error as { stdout: string }).stdout;
        }
      };
      const good = 'test("adds", () => {}); test.skip("later", () => {});';
      expect(read(run(good))).toEqual({ passed: true, counts: { passed: 1, failed: 0, skipped: 1 } });
      const bad = read(run(`${good} test("breaks", () => assert.equal(1, 2));`));
      expect(bad).toMatchObject({ passed: false, counts: { passed: 1, failed: 1, skipped: 1 } });
      expect(bad?.failed).toContain("breaks");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
