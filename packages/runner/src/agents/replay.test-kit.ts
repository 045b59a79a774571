import { readdirSync, readFileSync } from "node:fs";
import type { AgentReport, LineMap, LineMapContext, MappedEvent } from "./agent-door.ts";
import { claudeLines } from "./claude-code-lines.ts";
import { decideEnd, type EndFacts, type RunEnd } from "./decide-end.ts";

const FOLDER = new URL("../../test/fixtures/recordings/", import.meta.url);

export interface Recording {
  name: string;
  lines: string[];
  stderr: string;
  exitCode: number | null;
  signal: string | null;
  argv: string[];
}

/** The names of all recordings of Claude Code. */
export function recordingNames(): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith(".jsonl"))
    .map((file) => file.replace(/^claude-|\.jsonl$/g, ""));
}

/** Reads one recording: its lines as they were printed, and how the process ended. */
export function recording(name: string): Recording {
  const read = (ending: string) => readFileSync(new URL(`claude-${name}.${ending}`, FOLDER), "utf8");
  const exit = read("exit").trim();
  const isCode = /^\d+$/.test(exit);
  return {
    name,
    lines: read("jsonl").split("\n").slice(0, -1),
    stderr: read("stderr").trim(),
    exitCode: isCode ? Number(exit) : null,
    signal: isCode ? null : exit,
    argv: (JSON.parse(read("meta.json")) as { argv: string[] }).argv,
  };
}

/** The context in which a recording was made. */
export function contextOf({ argv, lines }: Pick<Recording, "argv" | "lines">): LineMapContext {
  const plan = argv[argv.indexOf("--permission-mode") + 1] === "plan";
  return {
    runId: "run-1",
    phase: plan ? "plan" : "single",
    resumed: argv.includes("--resume"),
    model: null,
    // One recording was made in a linked worktree, whose files its calls name by this path.
    cwd: lines.some((line) => line.includes('"cwd":"/worktree"')) ? "/wt" : "/repo",
    costBefore: 0,
    testCommands: ["npm test"],
  };
}

export interface Replay {
  events: MappedEvent[];
  report: AgentReport;
  end: RunEnd;
}

/** Feeds lines through a line map up to the end of the run. */
export function replay(recorded: Recording, stop: EndFacts["stop"] = null): Replay {
  const map: LineMap = claudeLines(contextOf(recorded));
  const events = [...recorded.lines.flatMap((line) => map.line(line)), ...map.close()];
  const report = map.report();
  const { exitCode, signal, stderr, lines } = recorded;
  const end = decideEnd({ report, exitCode, signal, stop, watchdog: null, stderr, anyLine: lines.length > 0 });
  return { events, report, end };
}

/** A line map for single lines written in a test. */
export function mapOf(change: Partial<LineMapContext> = {}): LineMap {
  return claudeLines({ ...contextOf({ argv: [], lines: [] }), ...change });
}
