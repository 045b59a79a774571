import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ADAPTERS } from "./registry.ts";

const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));
const MEGABYTE = 1024 * 1024;
const LARGEST = 16 * MEGABYTE;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "handover-large-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A session of 50 MB with one line of 16 MB. */
function session(harness: string): string {
  const path = join(folder, `${harness}.jsonl`);
  execFileSync(process.execPath, ["test/big-session.mjs", path, harness, String(LARGEST)], { cwd: PACKAGE });
  return path;
}

interface Measured {
  /** Bytes above an empty session. */
  most: number;
  goal: string;
  last: string;
}

function measure(path: string, o: { harness: string; form: "lines" | "text"; heap: number }): Measured {
  const flags = ["--expose-gc", `--max-old-space-size=${o.heap}`];
  const words = ["test/measure-adapter.mjs", "dist/index.js", o.harness, path, o.form];
  return JSON.parse(
    execFileSync(process.execPath, [...flags, ...words], { cwd: PACKAGE, encoding: "utf8" }),
  ) as Measured;
}

/** The most memory that the command's process took, in bytes. The last line of its stderr is added to tell it. */
function runCommand(path: string, harness: string): { goal: string; rss: number } {
  const tell = "data:text/javascript,process.on('exit',()=>console.error(process.resourceUsage().maxRSS))";
  // The heap alone may have three of the largest line, with everything else that the process needs in it.
  const flags = [`--max-old-space-size=${(3 * LARGEST) / MEGABYTE}`, "--max-semi-space-size=2", "--import", tell];
  const done = spawnSync(process.execPath, [...flags, "dist/main.js", "from", harness, path], {
    cwd: PACKAGE,
    encoding: "utf8",
    maxBuffer: 64 * MEGABYTE,
  });
  expect(done.status, done.stderr.slice(0, 500)).toBe(0);
  const draft = JSON.parse(done.stdout) as { goal: string };
  return { goal: draft.goal, rss: Number(done.stderr.trim().split("\n").at(-1)) * 1024 };
}

describe("50 MB of a session are read with at most three times its largest line", () => {
  test.each(Object.keys(ADAPTERS))("%s: lines, the command, and the text form with one copy at most", (harness) => {
    const path = session(harness);
    const lines = measure(path, { harness, form: "lines", heap: (3 * LARGEST) / MEGABYTE });
    expect(lines).toMatchObject({ goal: "the goal", last: "the last step" });
    expect(lines.most).toBeGreaterThan(LARGEST);
    expect(lines.most).toBeLessThanOrEqual(3 * LARGEST);

    // The text itself, and as much again for one copy and all that is done with it.
    const text = measure(path, { harness, form: "text", heap: 2 * 50 + 12 });
    expect(text).toMatchObject({ goal: "the goal", last: "the last step" });

    const empty = runCommand("/dev/null", harness);
    const whole = runCommand(path, harness);
    expect(whole.goal).toBe("the goal");
    expect(whole.rss - empty.rss).toBeGreaterThan(LARGEST);
    expect(whole.rss - empty.rss).toBeLessThanOrEqual(3 * LARGEST);
    rmSync(path);
  });
});
