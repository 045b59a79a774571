/** What is wrong in the sample repository, and what mends it. */
export const SAMPLE_BUG = "date.getUTCMonth()).padStart";
export const SAMPLE_FIX = "date.getUTCMonth() + 1).padStart";
export const SAMPLE_SOURCE = "src/format-date.js";

const PACKAGE = {
  name: "date-bug",
  version: "1.0.0",
  private: true,
  description: "A sample: its tests fail until the month is right.",
  type: "module",
  scripts: { test: "node --test --test-reporter=tap" },
};

/** The sample repository: path → content. Its tests fail because months are counted from 0. */
export const SAMPLE_FILES: Readonly<Record<string, string>> = {
  "package.json": `${JSON.stringify(PACKAGE, null, 2)}\n`,
  "README.md": `# date-bug

A sample repository for a first run. \`npm test\` fails: \`formatDate\` is one month behind.
`,
  [SAMPLE_SOURCE]: `/** A date as YYYY-MM-DD, in UTC. */
export function formatDate(date) {
  const year = date.getUTCFullYear();
  const month = String(${SAMPLE_BUG}(2, "0");
  const day = String(date.getUTCDate()).padStart(2, "0");
  return \`\${year}-\${month}-\${day}\`;
}
`,
  "test/format-date.test.js": `import assert from "node:assert/strict";
import test from "node:test";
import { formatDate } from "../src/format-date.js";

test("writes a date as YYYY-MM-DD", () => {
  assert.equal(formatDate(new Date(Date.UTC(2026, 9, 19))), "2026-10-19");
});

test("pads the month and the day", () => {
  assert.equal(formatDate(new Date(Date.UTC(2026, 0, 5))), "2026-01-05");
});
`,
};
