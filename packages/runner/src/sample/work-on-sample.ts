import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunningCommand } from "./run-command.ts";
import { SAMPLE_BUG, SAMPLE_FIX, SAMPLE_SOURCE } from "./sample-files.ts";
import type { SampleVoice } from "./sample-voice.ts";

/** What the sample agent may touch. */
export interface SampleWorld {
  voice: SampleVoice;
  cwd: string;
  plan: boolean;
  resumed: boolean;
  pause: () => Promise<void>;
  runTests: () => RunningCommand;
}

const NOT_KNOWN =
  "I am the sample agent and only know the sample repository date-bug. This repository is another one, so I changed nothing. " +
  "Start this task with a real agent instead, for example: codehands run --agent claude-code";

/** Does the sample task for real: runs the tests, reads the code, mends the month, runs the tests again. */
export async function workOnSample(world: SampleWorld): Promise<void> {
  const { voice, pause, plan } = world;
  voice.init();
  await pause();
  if (!knowsRepository(world.cwd)) return conclude(world, NOT_KNOWN);
  voice.say(
    world.resumed
      ? "I go on: first I look at where the tests stand."
      : "I will run the tests and read the code they test.",
  );
  await pause();
  const before = await test(world);
  await pause();
  const source = await read(world);
  await pause();
  if (before) return conclude(world, "All tests pass already, so there is nothing to mend. I changed nothing.");
  if (!source.includes(SAMPLE_BUG)) {
    return conclude(
      world,
      `The tests fail, but not for the reason I know, which is in ${SAMPLE_SOURCE}. I changed nothing.`,
    );
  }
  const cause = "getUTCMonth counts months from 0, so every date is one month behind.";
  if (plan) return conclude(world, `${cause} The plan: add 1 to it in ${SAMPLE_SOURCE}, then run npm test.`);
  voice.say(`${cause} I add 1 to it.`);
  await pause();
  edit(world, source);
  await pause();
  const after = await test(world);
  await pause();
  return conclude(
    world,
    after ? "The month is right now, and all tests pass." : "I mended the month, but the tests still fail.",
  );
}

function conclude({ voice }: SampleWorld, text: string): void {
  voice.say(text);
  voice.end(text);
}

/** The sample is known by its name and its source file, not by where it lies. */
function knowsRepository(cwd: string): boolean {
  try {
    const about: unknown = JSON.parse(readFileSync(join(cwd, "package.json"), "utf8"));
    const isNamed = typeof about === "object" && about !== null && "name" in about && about.name === "date-bug";
    return isNamed && readFileSync(join(cwd, SAMPLE_SOURCE), "utf8").includes("formatDate");
  } catch {
    return false;
  }
}

async function test({ voice, runTests }: SampleWorld): Promise<boolean> {
  const id = voice.call("Bash", { command: "npm test", description: "Run the tests" });
  const { exitCode, output } = await runTests().ended;
  if (exitCode === 0) {
    voice.result(id, output, { shaped: { stdout: output, stderr: "", interrupted: false } });
    return true;
  }
  voice.result(id, `Exit code ${exitCode ?? 127}\n\n${output}`, { isError: true });
  return false;
}

async function read({ voice, cwd }: SampleWorld): Promise<string> {
  const filePath = join(cwd, SAMPLE_SOURCE);
  const id = voice.call("Read", { file_path: filePath });
  const content = readFileSync(filePath, "utf8");
  const numbered = content.split("\n").map((line, index) => `${index + 1}\t${line}`);
  voice.result(id, numbered.join("\n"), { shaped: { type: "text", file: { filePath, content, startLine: 1 } } });
  return content;
}

function edit({ voice, cwd }: SampleWorld, source: string): void {
  const filePath = join(cwd, SAMPLE_SOURCE);
  const input = { file_path: filePath, old_string: SAMPLE_BUG, new_string: SAMPLE_FIX };
  const id = voice.call("Edit", input);
  writeFileSync(filePath, source.replace(SAMPLE_BUG, SAMPLE_FIX));
  const shaped = { filePath, oldString: SAMPLE_BUG, newString: SAMPLE_FIX, userModified: false, replaceAll: false };
  voice.result(id, `The file ${filePath} has been updated successfully.`, { shaped });
}
