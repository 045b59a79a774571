import { stripVTControlCharacters } from "node:util";
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

/** What failed, one line each: the file, the test, and the beginning of what it said. */
export function listFailures(modules: readonly TestModule[], uncaught: readonly { message: string }[]): string[] {
  const lines: string[] = [];
  const add = (where: string, errors: readonly { message: string }[] | undefined) =>
    lines.push(`${where}: ${shorten(errors?.[0]?.message ?? "it never came to its end")}`);
  for (const each of modules) {
    const file = each.relativeModuleId;
    if (each.errors().length > 0) add(file, each.errors());
    for (const test of each.children.allTests()) {
      const { state, errors } = test.result();
      if (state !== "passed" && state !== "skipped") add(`${file} > ${test.fullName}`, errors);
    }
  }
  for (const error of uncaught) add("no test caught", [error]);
  return lines.sort();
}

const shorten = (text: string): string => stripVTControlCharacters(text).replace(/\s+/g, " ").slice(0, 600);

/**
 * Ends every run with one plain line, `N passed, N failed, N skipped`, for people and programs that read logs; what
 * failed is named right before it, so that the end of a log is enough to know.
 */
export default class PlainReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], uncaught: readonly SerializedError[]): void {
    const { passed, failed, skipped } = countResults(modules, uncaught);
    for (const line of listFailures(modules, uncaught)) process.stdout.write(`failed: ${line}\n`);
    process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  }
}
