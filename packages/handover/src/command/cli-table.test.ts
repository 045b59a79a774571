import { expect, test } from "vitest";
import { ROWS, runTable } from "../../test/cli-table.mjs";
import { runHere } from "./capture.test-kit.ts";

test("HO-18 all eight commands with good and bad input: exit code, stdout, stderr, files", async () => {
  expect(await runTable(runHere)).toEqual([]);
  const commands = new Set(
    ROWS.map(({ words }) => (words[0]?.startsWith("from-") === true ? "from-<harness>" : words[0])),
  );
  for (const command of ["pack", "show", "validate", "completeness", "resume", "diff", "from", "from-<harness>"])
    expect(commands).toContain(command);
});

test("the table finds one wrong character", async () => {
  const problems = await runTable(async (words, world) => {
    const answer = await runHere(words, world);
    return { ...answer, stdout: answer.stdout.replace("valid:", "valid;") };
  });
  expect(problems).toEqual([
    expect.stringMatching(/^validate: stdout is/),
    expect.stringMatching(/^validate of a bad packet: stdout is/),
  ]);
});
