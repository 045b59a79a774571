/** How many tests a line of a summary speaks of. */
export interface TestCounts {
  passed: number;
  failed: number;
  skipped: number;
}

type Read = (match: RegExpExecArray) => Partial<TestCounts>;

const n = (text: string | undefined): number => Number(text ?? 0);

const KIND_OF_WORD: Readonly<Record<string, keyof TestCounts>> = {
  passed: "passed",
  pass: "passed",
  passing: "passed",
  succeeded: "passed",
  xpassed: "passed",
  failed: "failed",
  fail: "failed",
  failing: "failed",
  cancelled: "failed",
  error: "failed",
  errors: "failed",
  skipped: "skipped",
  skip: "skipped",
  todo: "skipped",
  pending: "skipped",
  xfailed: "skipped",
};

/** Reads "1 failed, 2 passed | 1 skipped": numbers, each with a word behind it. */
function words(text: string): Partial<TestCounts> {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const [, count, word = ""] of text.matchAll(/(\d+) ([a-z]+)/g)) {
    const kind = KIND_OF_WORD[word];
    if (kind !== undefined) counts[kind] += n(count);
  }
  return counts;
}

const PYTEST = /^(?:=+ )?((?:\d+ [a-z]+(?:, )?)+) in \d[\d.]*s\b/;

/** Each summary line of a test runner that we can read. Patterns are anchored, so a line is read once. */
const SUMMARIES: readonly (readonly [RegExp, Read])[] = [
  // TAP, node:test, tape
  [/^(?:#|ℹ) (pass|fail|cancelled|skipped|todo)\s+(\d+)$/, (m) => words(`${m[2]} ${m[1]}`)],
  // jest, vitest
  [/^Tests:\s+(.*\d+ total)\s*$/, (m) => words(m[1] ?? "")],
  [/^\s*Tests\s{1,4}(\d.*) \(\d+\)\s*$/, (m) => words(m[1] ?? "")],
  // mocha, playwright, bun, ava
  [/^\s*(\d+) (passing|failing|pending)\b/, (m) => words(m[0].trim())],
  [/^\s*(\d+) (passed|failed|skipped)(?: \([\d.]+m?s?\))?$/, (m) => words(m[0].trim())],
  [/^\s*(\d+) (pass|fail|skip)$/, (m) => words(m[0].trim())],
  [/^\s*(\d+) tests? (passed|failed|skipped)$/, (m) => words(`${m[1]} ${m[2]}`)],
  // pytest, unittest
  [PYTEST, (m) => words(m[1] ?? "")],
  [/^Ran (\d+) tests? in /, (m) => ({ passed: n(m[1]) })],
  [/^(?:FAILED|OK) \(((?:[a-z ]+=\d+(?:, )?)+)\)$/, (m) => unittest(m[1] ?? "")],
  // go test -v
  [/^--- (PASS|FAIL|SKIP): /, (m) => ({ [m[1] === "PASS" ? "passed" : m[1] === "FAIL" ? "failed" : "skipped"]: 1 })],
  // cargo test, cargo nextest
  [
    /^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored/,
    (m) => ({ passed: n(m[1]), failed: n(m[2]), skipped: n(m[3]) }),
  ],
  [/^\s*Summary \[[^\]]*\]\s+\d+ tests? run: (.*)$/, (m) => words(m[1] ?? "")],
  // rspec, minitest
  [
    /^(\d+) examples?, (\d+) failures?(?:, (\d+) pending)?(?:, (\d+) errors?)?/,
    (m) => ({ passed: n(m[1]) - n(m[2]) - n(m[3]), failed: n(m[2]) + n(m[4]), skipped: n(m[3]) }),
  ],
  [
    /^(\d+) (?:runs|tests), \d+ assertions, (\d+) failures, (\d+) errors, (\d+) skips/,
    (m) => ({ passed: n(m[1]) - n(m[2]) - n(m[3]) - n(m[4]), failed: n(m[2]) + n(m[3]), skipped: n(m[4]) }),
  ],
  // dotnet test
  [
    /^(?:Passed|Failed|Skipped)!\s+- Failed:\s+(\d+), Passed:\s+(\d+), Skipped:\s+(\d+)/,
    (m) => ({ passed: n(m[2]), failed: n(m[1]), skipped: n(m[3]) }),
  ],
  [
    /^Test summary: total: \d+, failed: (\d+), succeeded: (\d+), skipped: (\d+)/,
    (m) => ({ passed: n(m[2]), failed: n(m[1]), skipped: n(m[3]) }),
  ],
  // Maven's total, Gradle, and a junit report on the screen
  [
    /^(?:\[[A-Z]+\]\s+)?Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)$/,
    (m) => ({ passed: n(m[1]) - n(m[2]) - n(m[3]) - n(m[4]), failed: n(m[2]) + n(m[3]), skipped: n(m[4]) }),
  ],
  [
    /^(\d+) tests? completed, (\d+) failed(?:, (\d+) skipped)?/,
    (m) => ({ passed: n(m[1]) - n(m[2]) - n(m[3]), failed: n(m[2]), skipped: n(m[3]) }),
  ],
  [/^\s*<testsuite\s([^>]*)>/, (m) => junit(m[1] ?? "")],
  // deno
  [/^(?:ok|FAILED) \| (\d+ passed.*)$/, (m) => words(m[1] ?? "")],
];

/** What one line of output, without colours, counts; null when it is no summary that we know. */
export function readSummaryLine(line: string): Partial<TestCounts> | null {
  for (const [pattern, read] of SUMMARIES) {
    const match = pattern.exec(line);
    if (match !== null) return read(match);
  }
  return null;
}

/** `failures=1, errors=1, skipped=2`; the passed ones are what "Ran N tests" counted less these. */
function unittest(text: string): Partial<TestCounts> {
  const of = (name: string) => n(new RegExp(`(?:^|, )${name}=(\\d+)`).exec(text)?.[1]);
  const failed = of("failures") + of("errors") + of("unexpected successes");
  const skipped = of("skipped") + of("expected failures");
  return { passed: -failed - skipped, failed, skipped };
}

function junit(attributes: string): Partial<TestCounts> {
  const of = (name: string) => n(new RegExp(`(?:^|\\s)${name}="(\\d+)"`).exec(attributes)?.[1]);
  const failed = of("failures") + of("errors");
  return { passed: of("tests") - failed - of("skipped"), failed, skipped: of("skipped") };
}
