import type { EventView } from "@codehands/api";
import type { TerminalFacts } from "../terminal/terminal-facts.ts";
import { commandLine, type EndedCommand, type TestOutcome } from "./command-line.ts";
import { eventLines, progressLine } from "./event-lines.ts";
import { insideWorktree } from "./paths.ts";
import { numberOf, objectOf, type Payload, textOf, textsOf } from "./read-payload.ts";
import { elapsed } from "./times.ts";

/** How lines are drawn. */
export interface ProgressLook {
  facts: TerminalFacts;
  worktree: string | null;
  /** ISO time that the clock in front of the lines counts from. */
  startedAt: string;
}

type Pending =
  | { kind: "paths"; verb: string; at: string; paths: string[]; outside: boolean }
  | { kind: "command"; callId: string; command: EndedCommand; at: string };

/** What was taken in and not drawn yet: like reads become one line, a command waits for its test result. */
export interface ProgressState {
  pending: Pending | null;
  /** Commands that run, by call id. */
  open: Readonly<Record<string, { command: string; at: string; told: boolean }>>;
}

export interface ProgressStep {
  state: ProgressState;
  lines: string[];
}

export const NO_PROGRESS: ProgressState = { pending: null, open: {} };

/** Takes one event in and gives the lines that are complete now. Every line is harmless for a terminal. */
export function stepProgress(state: ProgressState, event: EventView, look: ProgressLook): ProgressStep {
  const { payload, at } = event;
  switch (event.type) {
    case "file.read":
      return addPaths(state, { verb: "Read", at, paths: readPaths(payload, look), outside: false }, look);
    case "file.changed": {
      const paths = [insideWorktree(textOf(payload, "path") ?? "?", look.worktree)];
      return addPaths(state, { verb: changeVerb(payload), at, paths, outside: payload.outside === true }, look);
    }
    case "command.started": {
      const { lines } = flushPending(state, look);
      const command = textOf(payload, "command") ?? "?";
      const open = { ...state.open, [callIdOf(payload)]: { command, at, told: false } };
      return { state: { pending: null, open }, lines };
    }
    case "command.finished":
      return endCommand(state, event, look);
    case "test.result": {
      const { pending } = state;
      if (pending?.kind === "command" && pending.callId === callIdOf(payload)) {
        const command = { ...pending.command, test: testOutcome(payload) };
        return flushPending({ ...state, pending: { ...pending, command } }, look);
      }
      const { lines } = flushPending(state, look);
      const command = { command: textOf(payload, "command") ?? "?", exitCode: null, isError: false, denied: false };
      const line = commandLine(
        { ...command, durationMs: null, test: testOutcome(payload) },
        clock(at, look),
        look.facts,
      );
      return { state: { ...state, pending: null }, lines: [...lines, line] };
    }
    default: {
      const { lines } = flushPending(state, look);
      return { state: { ...state, pending: null }, lines: [...lines, ...eventLines(event, clock(at, look), look)] };
    }
  }
}

/** Gives out what was held back; `idle` also tells commands that are still running. */
export function flushProgress(state: ProgressState, look: ProgressLook, idle: boolean): ProgressStep {
  const { lines } = flushPending(state, look);
  if (!idle) return { state: { ...state, pending: null }, lines };
  const open: Record<string, { command: string; at: string; told: boolean }> = {};
  for (const [callId, one] of Object.entries(state.open)) {
    if (!one.told) lines.push(commandLine({ command: one.command, running: true }, clock(one.at, look), look.facts));
    open[callId] = { ...one, told: true };
  }
  return { state: { pending: null, open }, lines };
}

function addPaths(
  state: ProgressState,
  one: { verb: string; at: string; paths: string[]; outside: boolean },
  look: ProgressLook,
): ProgressStep {
  const { pending } = state;
  if (pending?.kind === "paths" && pending.verb === one.verb && pending.outside === one.outside) {
    const paths = [...pending.paths, ...one.paths.filter((path) => !pending.paths.includes(path))];
    return { state: { ...state, pending: { ...pending, paths } }, lines: [] };
  }
  const { lines } = flushPending(state, look);
  return { state: { ...state, pending: { kind: "paths", ...one } }, lines };
}

function endCommand(state: ProgressState, event: EventView, look: ProgressLook): ProgressStep {
  const { payload } = event;
  const { lines } = flushPending(state, look);
  const callId = callIdOf(payload);
  const { [callId]: begun, ...open } = state.open;
  const command: EndedCommand = {
    command: textOf(payload, "command") ?? begun?.command ?? "?",
    exitCode: numberOf(payload, "exitCode"),
    isError: payload.isError === true,
    denied: payload.denied === true,
    durationMs: numberOf(payload, "durationMs"),
    test: null,
  };
  return { state: { pending: { kind: "command", callId, command, at: begun?.at ?? event.at }, open }, lines };
}

function flushPending(state: ProgressState, look: ProgressLook): ProgressStep {
  const { pending } = state;
  const next = { ...state, pending: null };
  if (pending === null) return { state: next, lines: [] };
  const time = clock(pending.at, look);
  if (pending.kind === "command") return { state: next, lines: [commandLine(pending.command, time, look.facts)] };
  return { state: next, lines: [progressLine(time, pathWords(pending, look.facts), look.facts)] };
}

const SHOWN_PATHS = 2;

function pathWords(one: { verb: string; paths: string[]; outside: boolean }, facts: TerminalFacts): string {
  const shown = facts.width === null ? one.paths : one.paths.slice(0, SHOWN_PATHS);
  const more = one.paths.length - shown.length;
  return `${one.verb} ${shown.join(", ")}${more > 0 ? ` (+${more})` : ""}${one.outside ? "  ! outside the worktree" : ""}`;
}

function readPaths(payload: Payload, look: ProgressLook): string[] {
  const path = textOf(payload, "path");
  const paths = textsOf(payload, "paths");
  if (paths.length > 0) return paths.map((one) => insideWorktree(one, look.worktree));
  if (path !== null) return [insideWorktree(path, look.worktree)];
  return [`for ${insideWorktree(textOf(payload, "pattern") ?? "?", look.worktree)}`];
}

function changeVerb(payload: Payload): string {
  if (payload.change === "add") return "Created";
  return payload.change === "delete" ? "Deleted" : "Edited";
}

function testOutcome(payload: Payload): TestOutcome {
  const counts = objectOf(payload, "counts");
  return {
    passed: payload.passed === true,
    counts: counts && { passed: numberOf(counts, "passed") ?? 0, failed: numberOf(counts, "failed") ?? 0 },
  };
}

const callIdOf = (payload: Payload): string => textOf(payload, "callId") ?? "";
const clock = (at: string, look: ProgressLook): string => elapsed(look.startedAt, at);
