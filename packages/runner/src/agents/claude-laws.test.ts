import { describe, expect, it } from "vitest";
import { EventSequence } from "../events.ts";
import type { MappedEvent } from "./agent-door.ts";
import { claudeLines } from "./claude-code-lines.ts";
import { contextOf, type Recording, recording, recordingNames, replay } from "./replay.test-kit.ts";

const ALL = recordingNames().map((name) => ({ name, recorded: recording(name) }));
const TERMINAL = new Set(["task.finished", "task.failed", "task.stopped"]);

/** Cuts bytes into lines the way a tail does: whatever the pieces are, a line ends at its newline. */
function linesOf(bytes: Buffer, piece: number): string[] {
  const lines: string[] = [];
  let rest = Buffer.alloc(0);
  for (let at = 0; at < bytes.length; at += piece) {
    rest = Buffer.concat([rest, bytes.subarray(at, at + piece)]);
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      lines.push(rest.subarray(0, end).toString("utf8"));
      rest = rest.subarray(end + 1);
    }
  }
  return lines;
}

function starts(events: readonly MappedEvent[]): void {
  const open = new Set<string>();
  const commands = new Map<string, string>();
  for (const event of events) {
    if (event.type === "command.started") {
      open.add(event.payload.callId);
      commands.set(event.payload.callId, event.payload.command);
    }
    if (event.type === "command.finished") {
      expect(open.delete(event.payload.callId)).toBe(true);
      expect(commands.get(event.payload.callId)).toBe(event.payload.command);
    }
    if (event.type === "test.result") {
      expect(commands.get(event.payload.callId)).toBe(event.payload.command);
      expect(open.has(event.payload.callId)).toBe(false);
    }
  }
  expect([...open]).toEqual([]);
}

describe("laws of every recorded run", () => {
  it.each(ALL)("$name: seq is dense, exactly one event ends it, nothing comes after", ({ recorded }) => {
    const { events, end } = replay(recorded);
    const sequence = new EventSequence("s", { afterSeq: 7, clock: () => "2026-11-30T12:00:00.000Z" });
    const stored = [...events, end].map(({ type, payload }) => sequence.next(type, payload as never));
    expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, index) => index + 8));
    expect(stored.filter(({ type }) => TERMINAL.has(type))).toHaveLength(1);
    expect(TERMINAL.has(stored.at(-1)?.type ?? "")).toBe(true);
    expect(stored.filter(({ type }) => type === "task.started").length).toBeLessThanOrEqual(1);
  });

  it.each(ALL)(
    "$name: every command that finished had started, and every one that started finished",
    ({ recorded }) => {
      starts(replay(recorded).events);
    },
  );

  it.each(ALL)("$name: raw is on every event", ({ recorded }) => {
    for (const event of replay(recorded).events) expect(event.raw).toBeDefined();
  });

  it.each(ALL)("$name: cut at any line, or in the middle of one, it still ends by the same laws", ({ recorded }) => {
    for (let kept = 0; kept <= recorded.lines.length; kept += 1) {
      const whole = recorded.lines.slice(0, kept);
      const half = (recorded.lines[kept] ?? "").slice(0, Math.floor((recorded.lines[kept] ?? "").length / 2));
      for (const lines of [whole, [...whole, half]]) {
        const cut: Recording = { ...recorded, lines };
        const { events, end } = replay(cut);
        starts(events);
        expect(TERMINAL.has(end.type)).toBe(true);
        const hasResult = whole.some((line) => (JSON.parse(line) as { type: string }).type === "result");
        if (!hasResult) expect(end.type).not.toBe("task.finished");
      }
    }
  });

  it.each(ALL)("$name: the size of the pieces in which the bytes come changes nothing", ({ recorded }) => {
    const bytes = Buffer.from(recorded.lines.map((line) => `${line}\n`).join(""));
    for (const piece of [1 + (bytes.length % 7), 4096, Math.max(1, bytes.length)]) {
      expect(linesOf(bytes, piece)).toEqual(recorded.lines);
    }
  });

  it.each(ALL)(
    "$name: reading it twice gives the same events: an adopted run is read from its first byte",
    ({ recorded }) => {
      const read = () => {
        const map = claudeLines(contextOf(recorded));
        return { events: [...recorded.lines.flatMap((line) => map.line(line)), ...map.close()], report: map.report() };
      };
      expect(read()).toEqual(read());
    },
  );
});
