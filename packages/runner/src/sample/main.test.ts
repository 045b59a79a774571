import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MappedEvent } from "../agents/agent-door.ts";
import { sampleAgent } from "../agents/sample-agent.ts";
import { makeSampleRepo } from "./make-sample-repo.ts";
import { SAMPLE_BUG, SAMPLE_FIX, SAMPLE_SOURCE } from "./sample-files.ts";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));
const LOADER = import.meta.resolve("tsx");

let root: string;
const source = () => readFileSync(join(root, SAMPLE_SOURCE), "utf8");
const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "sample-run-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function start(words: string[]) {
  const child = spawn(process.execPath, ["--import", LOADER, MAIN, "--pace", "0", ...words], {
    cwd: root,
    stdio: "pipe",
  });
  child.stdin.end("Fix the failing test.");
  const map = sampleAgent.lineMap({
    runId: "run-1",
    phase: "single",
    resumed: words.includes("--resume"),
    model: null,
    cwd: root,
    costBefore: 0,
    testCommands: ["npm test"],
  });
  return { child, map };
}

async function run(words: string[]) {
  const { child, map } = start(words);
  const events: MappedEvent[] = [];
  const closed = once(child, "close");
  for await (const line of createInterface({ input: child.stdout })) events.push(...map.line(line));
  const [exitCode] = (await closed) as [number | null];
  return { exitCode, events: [...events, ...map.close()], report: map.report() };
}

const types = (events: readonly MappedEvent[]) => events.map(({ type }) => type);
const tests = (events: readonly MappedEvent[]) =>
  events.flatMap((event) => (event.type === "test.result" ? [event.payload.passed] : []));

describe("the sample agent", () => {
  it("runs the tests, reads, mends the month and sees the tests pass, for nothing", async () => {
    await makeSampleRepo(root);
    const { exitCode, events, report } = await run(["--session-id", "s-1"]);
    expect(exitCode).toBe(0);
    expect(types(events)).toEqual([
      "task.started",
      "message",
      "command.started",
      "command.finished",
      "test.result",
      "file.read",
      "message",
      "file.changed",
      "command.started",
      "command.finished",
      "test.result",
      "message",
    ]);
    expect(tests(events)).toEqual([false, true]);
    expect(events[0]?.payload).toMatchObject({ agent: "sample", agentSessionId: "s-1", model: "sample" });
    expect(report).toMatchObject({ agentSessionId: "s-1", open: 0, result: { isError: false, costUsd: 0 } });
    expect(source()).toContain(SAMPLE_FIX);
    expect(git("status", "--porcelain")).toBe(`M ${SAMPLE_SOURCE}`);
  });

  it("goes on with a session, and says so when nothing is left to mend", async () => {
    await makeSampleRepo(root);
    writeFileSync(join(root, SAMPLE_SOURCE), source().replace(SAMPLE_BUG, SAMPLE_FIX));
    const { events, report } = await run(["--resume", "s-1"]);
    expect(events[0]?.payload).toMatchObject({ agentSessionId: "s-1", resumed: true });
    expect(tests(events)).toEqual([true]);
    expect(report.result?.text).toContain("nothing to mend");
  });

  it("says that it does not know another repository, and changes nothing", async () => {
    writeFileSync(join(root, "package.json"), '{"name":"another"}');
    git("init", "-q");
    git("add", ".");
    const { exitCode, events, report } = await run(["--session-id", "s-1"]);
    expect(exitCode).toBe(0);
    expect(types(events)).toEqual(["task.started", "message"]);
    expect(report.result?.text).toContain("only know the sample repository");
    expect(git("status", "--porcelain")).toBe("A  package.json");
  });

  it("leaves the code alone when the tests fail for another reason", async () => {
    await makeSampleRepo(root);
    writeFileSync(join(root, SAMPLE_SOURCE), "export function formatDate() {\n  return 0;\n}\n");
    const before = source();
    const { report } = await run(["--session-id", "s-1"]);
    expect(report.result?.text).toContain("not for the reason I know");
    expect(source()).toBe(before);
  });

  it("changes nothing in plan mode", async () => {
    await makeSampleRepo(root);
    const { report } = await run(["--session-id", "s-1", "--permission-mode", "plan"]);
    expect(report.result?.text).toContain("The plan:");
    expect(source()).toContain(SAMPLE_BUG);
  });

  it("ends at once on SIGTERM, together with the tests it runs", async () => {
    await makeSampleRepo(root);
    const marker = join(root, "pid");
    writeFileSync(
      join(root, "test/format-date.test.js"),
      `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(marker)}, String(process.pid));\nsetInterval(() => {}, 1000);\n`,
    );
    const { child } = start(["--session-id", "s-1"]);
    const pid = await until(() => Number(readFileSync(marker, "utf8")));
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([143, null]);
    await until(() => (isAlive(pid) ? 0 : 1));
  });

  it("refuses words that make no sense with exit code 2", async () => {
    expect((await run([])).exitCode).toBe(2);
    expect((await run(["--session-id", "s-1", "--unknown"])).exitCode).toBe(2);
  });
});

describe("the door of the sample agent", () => {
  it("runs the built program with this node, and the prompt stays out of the process list", () => {
    expect(sampleAgent.program[0]).toBe(process.execPath);
    expect(sampleAgent.program[1]).toMatch(/\/dist\/sample\/main\.js$/);
    const invocation = {
      sessionId: "s-1",
      resumeId: null,
      prompt: "a secret prompt",
      model: null,
      phase: "single",
      remainingUsd: 1,
      testCommands: [],
      trustRepoSettings: false,
      notes: null,
      cwd: root,
    } as const;
    const call = sampleAgent.call(invocation);
    expect(call.args).toEqual(["--session-id", "s-1", "--permission-mode", "acceptEdits"]);
    expect(call.stdin).toBe("a secret prompt");
    expect(sampleAgent.call({ ...invocation, resumeId: "s-0", phase: "plan" }).args).toEqual([
      "--resume",
      "s-0",
      "--permission-mode",
      "plan",
    ]);
  });
});

function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** Polls until `look` returns something other than 0 or NaN and does not throw. */
async function until(look: () => number): Promise<number> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
    try {
      const found = look();
      if (found > 0) return found;
    } catch {
      // Not there yet.
    }
    await new Promise((next) => setTimeout(next, 20));
  }
  throw new Error("waited 60 s for nothing");
}
