import type { AgentReport, MappedEvent } from "./agent-door.ts";
import { sessionCost } from "./budget.ts";
import { field, type JsonObject, listField, numberField, stringField } from "./field.ts";

/** Keeps the result lines of a run: of several, the last one with turns counts; an empty one is a message. */
export class ClaudeResults {
  #counts: JsonObject | null = null;

  /** The line that counts, or null while there is none. */
  get line(): JsonObject | null {
    return this.#counts;
  }

  /** Takes a result line. What comes back is the result that does not count, if it was an empty one. */
  take(line: JsonObject): MappedEvent[] {
    const before = this.#counts;
    if (before !== null && isEmpty(line)) return [emptyResult(line)];
    this.#counts = line;
    return before !== null && isEmpty(before) ? [emptyResult(before)] : [];
  }

  /** The result as the runner's report has it. `summary` is the text of the last message, `costBefore` US dollars. */
  report({ summary, costBefore }: { summary: string; costBefore: number }): AgentReport["result"] {
    const line = this.#counts;
    if (line === null) return null;
    const isError = isErrorResult(line);
    return {
      isError,
      text: isError ? resultText(line) : completed(resultText(line), summary),
      costUsd: sessionCost(costBefore, numberField(line, "total_cost_usd") ?? null),
      usage: field(line, "usage") ?? null,
      numTurns: numberField(line, "num_turns") ?? null,
      overBudget:
        stringField(line, "subtype") === "error_max_budget_usd" ||
        stringField(line, "terminal_reason") === "budget_exhausted",
    };
  }
}

/** An API error says subtype "success": only `is_error` counts, and a subtype that begins with "error". */
export function isErrorResult(line: JsonObject): boolean {
  return field(line, "is_error") === true || (stringField(line, "subtype") ?? "").startsWith("error");
}

/** What a result line says in words. */
export function resultText(line: JsonObject): string {
  const said = stringField(line, "result");
  const how = stringField(line, "terminal_reason") ?? "";
  // Its own words are a diagnostic for its makers.
  if (said === undefined && how.startsWith("aborted")) return "The agent was interrupted before it had finished.";
  if (said !== undefined) return said;
  const errors = listField(line, "errors").filter((error) => typeof error === "string");
  return errors.length > 0 ? errors.join("\n") : (stringField(line, "subtype") ?? "");
}

// The result may hold no more than the first part of the last message.
const completed = (text: string, summary: string): string =>
  summary.length > text.length && summary.startsWith(text) ? summary : text;

const isEmpty = (line: JsonObject): boolean => numberField(line, "num_turns") === 0;

function emptyResult(line: JsonObject): MappedEvent {
  const text = `The agent printed another, empty result: ${resultText(line) || "no text"}`;
  return { type: "message", payload: { text, role: "notice", severity: isErrorResult(line) ? "warn" : "info" } };
}
