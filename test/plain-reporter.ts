import type { Reporter, SerializedError, TestModule } from "vitest/node";

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/**
 * Counts what really ran. A file that could not be read counts as one failure, and so does an error that no test
 * caught, so that a broken run is never "0 failed".
 */
export function countResults(modules: readonly TestModule[], uncaught: readonly unknown[]): Counts {
  const counts: Counts = { passed: 0, failed: uncaught.length, skipped: 0 };
  for (const each of modules) {
    counts.failed += each.errors().length;
    for (const test of each.children.allTests()) {
      const { state } = test.result();
      if (state === "passed" || state === "failed" || state === "skipped") counts[state] += 1;
      // A test that never came to its end did not pass.
      else counts.failed += 1;
    }
  }
  return counts;
}

/** Ends every run with one plain line, `N passed, N failed, N skipped`, for people and programs that read logs. */
export default class PlainReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], uncaught: readonly SerializedError[]): void {
    const { passed, failed, skipped } = countResults(modules, uncaught);
    process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  }
}
