import { splitCommand } from "./split-command.ts";
import { failedTestName, isFailureLine } from "./test-failures.ts";
import { readSummaryLine, type TestCounts } from "./test-summaries.ts";

const MOST_NAMES = 50;
const LONGEST_LINE = 2000;

const PACKAGE_RUN =
  /^(?:npm|pnpm|yarn|bun)(?:\s+(?:-\S+|--filter\s+\S+|workspace\s+\S+))*(?:\s+run)?(?:\s+-\S+)*\s+(?:t|tst|test(?::[\w:.-]+)?)(?:\s|$)/;
const RUNNER = new RegExp(
  `^(?:(?:npx|bunx|pnpx|uv run|poetry run|pipenv run|bundle exec|(?:pnpm|yarn|npm) (?:exec|dlx)|yarn|pnpm)(?:\\s+-{1,2}\\S*)*\\s+)?(?:\\S*/)?(?:${[
    "vitest",
    "jest",
    "mocha",
    "ava",
    "tap",
    "jasmine",
    "playwright test",
    "cypress run",
    "(?:node|tsx)(?: (?:--import|--require|--loader|--conditions|-r|-C) [^-\\s]\\S*| -\\S+)* --test",
    "pytest|py\\.test",
    "python[\\d.]*(?: -\\S+)* -m (?:pytest|unittest)",
    "tox|nox",
    "go test",
    "cargo (?:\\+\\S+ )?(?:test|nextest run)",
    "rspec",
    "rake (?:test|spec)",
    "(?:rails|mix|swift|deno|bun|flutter|dart|bazel|sbt|dotnet) test",
    "mvnw?(?: -\\S+)* (?:test|verify)",
    "gradlew?(?: -\\S+)* (?:test|check)",
    "make(?: -\\S+)* (?:test|check)",
    "ctest|phpunit",
  ].join("|")})(?:\\s|$)`,
);

/** Whether a shell line runs tests: a configured command, or a runner that everybody knows. */
export function isTestCommand(line: string, configured: readonly string[]): boolean {
  return splitCommand(line).some(({ text }) => runsTests(text, configured));
}

function runsTests(text: string, configured: readonly string[]): boolean {
  const words = text.replace(/\s+/g, " ");
  const own = configured.map((command) => command.trim().replace(/\s+/g, " ")).filter((command) => command !== "");
  return (
    own.some((command) => words === command || words.startsWith(`${command} `)) ||
    PACKAGE_RUN.test(words) ||
    RUNNER.test(words)
  );
}

/** A test run that was carried out. */
export interface TestRun {
  command: string;
  testCommands: readonly string[];
  /** Null when the command was not run, or its code is not known. */
  exitCode: number | null;
  /** The whole output, as far as it was printed. */
  output: string;
}

export interface TestVerdict {
  passed: boolean;
  failed?: string[];
  counts?: TestCounts;
}

/**
 * Whether the tests passed: only with exit code 0 and an output that shows no failure. Null where that would be a
 * guess: not run, nothing printed, or an exit code that belongs to another command and no summary to read.
 */
export function testVerdict(run: TestRun): TestVerdict | null {
  if (run.exitCode === null) return null;
  const seen = readOutput(run.output);
  const shown = {
    ...(seen.names.length === 0 ? {} : { failed: seen.names }),
    ...(seen.counts === null ? {} : { counts: seen.counts }),
  };
  if (run.exitCode !== 0 || seen.failure) return { passed: false, ...shown };
  const proof = seen.counts !== null || (!hidesExitCode(run) && run.output.trim() !== "");
  return proof ? { passed: true, ...(seen.counts === null ? {} : { counts: seen.counts }) } : null;
}

/** `npm test | tail` and `npm test || true` end with another command's exit code. */
function hidesExitCode(run: TestRun): boolean {
  return splitCommand(run.command).some(
    ({ text, operator }) => operator !== "" && operator !== "&&" && runsTests(text, run.testCommands),
  );
}

function readOutput(output: string): { failure: boolean; names: string[]; counts: TestCounts | null } {
  const counts: TestCounts = { passed: 0, failed: 0, skipped: 0 };
  const names = new Set<string>();
  let counted = false;
  let failure = false;
  for (const full of output.split("\n")) {
    const line = plain(full);
    const summary = readSummaryLine(line);
    if (summary !== null) {
      counted = true;
      counts.passed += summary.passed ?? 0;
      counts.failed += summary.failed ?? 0;
      counts.skipped += summary.skipped ?? 0;
    }
    failure ||= isFailureLine(line);
    const name = names.size < MOST_NAMES ? failedTestName(line) : null;
    if (name !== null) names.add(name);
  }
  counts.passed = Math.max(0, counts.passed);
  return { failure: failure || counts.failed > 0, names: [...names], counts: counted ? counts : null };
}

/** A line without colours, carriage returns and what no summary line is long enough to have. */
function plain(line: string): string {
  // oxlint-disable-next-line no-control-regex -- colours begin with this character
  return line
    .slice(0, LONGEST_LINE)
    .replace(/\u001b\[[\d;]*[A-Za-z]/g, "")
    .replace(/\r/g, "")
    .trimEnd();
}
