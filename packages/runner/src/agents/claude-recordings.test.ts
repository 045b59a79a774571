import { describe, expect, it } from "vitest";
import { CLAUDE_TABLE, type Counts } from "../../test/fixtures/claude-table.ts";
import type { MappedEvent } from "./agent-door.ts";
import { recording, recordingNames, replay } from "./replay.test-kit.ts";

const SHORT = {
  "task.started": "s",
  message: "m",
  "file.read": "r",
  "file.changed": "c",
  "command.started": "cs",
  "command.finished": "cf",
  "test.result": "t",
} as const;

function counted(events: readonly MappedEvent[]): Counts {
  const counts: Record<string, number> = {};
  for (const { type } of events) {
    if (type === "provider.status") continue;
    const short = SHORT[type as keyof typeof SHORT] ?? type;
    counts[short] = (counts[short] ?? 0) + 1;
  }
  return counts;
}

describe("recorded runs of Claude Code", () => {
  it("has a row for every recording, and a recording for every row", () => {
    expect(CLAUDE_TABLE.map((row) => row.case).sort()).toEqual(recordingNames().sort());
    expect(CLAUDE_TABLE).toHaveLength(89);
  });

  it.each(CLAUDE_TABLE)("$case becomes what reading it says", (row) => {
    const { events, report, end } = replay(recording(row.case), row.stop ? { reason: "person" } : null);
    const provider = events.flatMap((event) =>
      event.type === "provider.status" ? [`${event.payload.state}${event.payload.transient ? "~" : ""}`] : [],
    );
    expect({
      case: row.case,
      terminal: end.type,
      reason: end.type === "task.finished" ? null : end.payload.reason,
      agentSessionId: report.agentSessionId,
      counts: counted(events),
      provider,
      cost: end.payload.total_cost_usd ?? null,
      denied: report.denied,
      stop: row.stop,
    }).toEqual(row);
  });
});
