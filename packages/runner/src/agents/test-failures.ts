/** Lines that only a failed test run prints. Anchored, so that a test's name does not count. */
const MARKERS: readonly RegExp[] = [
  /^\s*not ok \d+(?!.*# (?:todo|skip))/i,
  /^✖ failing tests:/,
  /^\s*--- FAIL: /,
  /^\s?FAIL(?:\s|$)/,
  /^(?:FAIL|ERROR): \S+ \(/,
  /^(?:FAILED|ERROR) \S+::/,
  /^FAILED \(/,
  /^test .+ \.\.\. FAILED$/,
  /^test result: FAILED/,
  /^error: test failed/,
  /^Test Suites:\s+\d+ failed/,
  /^\s*Test Files\s+\d+ failed/,
  /^\s*Errors\s+\d+ errors?\b/,
  /^Test Run Failed\.|^Failed!\s/,
  /^(?:\[ERROR\] )?BUILD FAIL(?:URE|ED)|^\[INFO\] BUILD FAILURE|^FAILURES!/,
  /^npm (?:ERR!|error) (?:Test failed|Lifecycle script)/,
  /ELIFECYCLE.*Test failed/,
  /^\s*<failure\b/,
];

/** Where the name of a failed test stands. */
const NAMES: readonly RegExp[] = [
  /^\s*not ok \d+ (?:- )?(?!.*# (?:todo|skip))(.+)$/i,
  /^\s*✖ (.+) \([\d.]+ms\)$/,
  /^\s?FAIL\s+(\S.* > .+)$/,
  /^\s+[×✗] (.+?)(?: \d+ms)?$/,
  /^\s+● (.+ › .+)$/,
  /^\s+✕ (.+?)(?: \(\d+ ms\))?$/,
  /^\s+\d+\) (.+)$/,
  /^(?:FAILED|ERROR) (\S+::.+?)(?: - .*)?$/,
  /^(?:FAIL|ERROR): (\S+ \(.+\))$/,
  /^\s*--- FAIL: (\S+)/,
  /^test (.+) \.\.\. FAILED$/,
  /^rspec (\S+ # .+)$/,
  /^\s+Failed (\S+) \[/,
  /^(\S.* > .+) FAILED$/,
];

/** Whether a line of output, without colours, tells of a failure. */
export function isFailureLine(line: string): boolean {
  return MARKERS.some((marker) => marker.test(line));
}

/** The name of the failed test that a line tells, or null. */
export function failedTestName(line: string): string | null {
  for (const pattern of NAMES) {
    const name = pattern.exec(line)?.[1]?.trim();
    if (name !== undefined && name !== "") return name.slice(0, 300);
  }
  return null;
}
