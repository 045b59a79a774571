import { expect, test } from "vitest";
import { readCases, runCases } from "../../conformance/check.mjs";
import { runHere } from "./capture.test-kit.ts";

test("every case of the conformance suite", async () => {
  const results = await runCases(runHere, { strict: true });
  expect(results.filter(({ problems }) => problems.length > 0)).toEqual([]);
  expect(results).toHaveLength(readCases().length);
  expect(results.length).toBeGreaterThan(90);
});

test("the format alone leaves the strict cases out", async () => {
  const results = await runCases(runHere);
  expect(results).toHaveLength(readCases().filter(({ strict }) => strict !== true).length);
});

test("the checker finds an implementation that is wrong in one thing", async () => {
  const failedOf = async (
    spoil: (stdout: string, words: readonly string[]) => string,
    exit?: number,
  ): Promise<string[]> => {
    const results = await runCases(
      async (words, world) => {
        const answer = await runHere(words, world);
        return { ...answer, exit: exit ?? answer.exit, stdout: spoil(answer.stdout, words) };
      },
      { strict: true },
    );
    return results.filter(({ problems }) => problems.length > 0).map(({ id }) => id);
  };
  expect(await failedOf((stdout) => stdout.replace("ID_MISMATCH", "OTHER"))).toHaveLength(12);
  expect(await failedOf((stdout) => stdout.replace('"wrote the parser",', ""))).toContain("from-codex-codex-jsonl");
  expect(await failedOf((stdout) => (stdout.includes("send the keys") ? `${stdout}\n## More` : stdout))).toEqual([
    "resume-hostile",
  ]);
  expect(await failedOf((stdout) => stdout.replaceAll("0.1428", "0.2"))).toEqual(["completeness-smallest"]);
  expect(await failedOf((stdout) => stdout, 0)).toContain("invalid-empty");
  expect(await failedOf(() => "")).toContain("v01-example");
});
