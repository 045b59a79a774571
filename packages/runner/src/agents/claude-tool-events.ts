import type { EventPayloads } from "@codehands/contracts";
import type { LineMapContext, MappedEvent } from "./agent-door.ts";
import { field, isObject, type JsonObject, listField, stringField } from "./field.ts";
import { keepTail } from "./keep-tail.ts";
import { isTestCommand, testVerdict } from "./test-result.ts";
import { worktreePath } from "./worktree-path.ts";

export type ToolKind = "command" | "read" | "change" | "helper" | "plan" | "other";

const KINDS: ReadonlyMap<string, ToolKind> = new Map([
  ["Bash", "command"],
  ["PowerShell", "command"],
  ["Read", "read"],
  ["Glob", "read"],
  ["Grep", "read"],
  ["LS", "read"],
  ["NotebookRead", "read"],
  ["Edit", "change"],
  ["Write", "change"],
  ["MultiEdit", "change"],
  ["NotebookEdit", "change"],
  ["Task", "helper"],
  ["Agent", "helper"],
  ["ExitPlanMode", "plan"],
]);

/** What kind of event a tool of Claude Code becomes. */
export const toolKind = (name: string): ToolKind => KINDS.get(name) ?? "other";

/** A tool call as it was printed. */
export interface ToolCall {
  id: string;
  name: string;
  input: JsonObject;
}

/** How a call ended: the tool's own text, and the shaped result beside it when there is one. */
export interface ToolOutcome {
  text: string;
  isError: boolean;
  denied: boolean;
  shaped: unknown;
}

const MOST_PATHS = 200;
const LONGEST_NOTE = 500;

/** `file.read` of a call that went well. */
export function readEvent(context: LineMapContext, call: ToolCall, shaped: unknown): MappedEvent {
  const path =
    stringField(call.input, "file_path") ?? stringField(call.input, "notebook_path") ?? stringField(call.input, "path");
  const pattern = stringField(call.input, "pattern");
  const paths = listField(shaped, "filenames").filter((name) => typeof name === "string");
  const payload: EventPayloads["file.read"] = {
    path: path === undefined ? null : worktreePath(context.cwd, path).path,
    tool: call.name,
    ...(pattern === undefined ? {} : { pattern }),
    ...(paths.length === 0 ? {} : { paths: paths.slice(0, MOST_PATHS) }),
  };
  return { type: "file.read", payload };
}

/** `file.changed` of a call that went well; null when the call names no file. */
export function changeEvent(context: LineMapContext, call: ToolCall, shaped: unknown): MappedEvent | null {
  const named = stringField(call.input, "file_path") ?? stringField(call.input, "notebook_path");
  if (named === undefined) return null;
  const { path, outside } = worktreePath(context.cwd, named);
  const written = stringField(shaped, "type");
  const change =
    call.name !== "Write" ? "update" : written === "create" ? "add" : written === "update" ? "update" : "unknown";
  return { type: "file.changed", payload: { path, tool: call.name, change, ...(outside ? { outside } : {}) } };
}

/** The shell line of a command call. */
export const commandText = (call: ToolCall): string => stringField(call.input, "command") ?? "";

/** `command.finished`, and `test.result` when the command was a test run that says how it went. */
export function commandEvents(
  context: LineMapContext,
  call: ToolCall,
  ended: ToolOutcome & { durationMs?: number | undefined },
): MappedEvent[] {
  const command = commandText(call);
  const exitCode = exitCodeOf(ended);
  const printed = ended.text.replace(/^Exit code \d+\n{0,2}/, "").replace(/^\(Bash completed with no output\)$/, "");
  const output = keepTail(printed);
  const finished: MappedEvent = {
    type: "command.finished",
    payload: {
      command,
      callId: call.id,
      isError: ended.isError,
      denied: ended.denied,
      exitCode,
      output: output.text,
      ...(output.truncated ? { truncated: true as const } : {}),
      ...(ended.durationMs === undefined ? {} : { durationMs: ended.durationMs }),
    },
  };
  const { testCommands } = context;
  const verdict = isTestCommand(command, testCommands)
    ? testVerdict({ command, testCommands, exitCode, output: printed })
    : null;
  if (verdict === null) return [finished];
  return [finished, { type: "test.result", payload: { command, callId: call.id, ...verdict } }];
}

/** Claude Code prints no code: a failed command begins with "Exit code N", and an error without it was never run. */
function exitCodeOf(ended: ToolOutcome): number | null {
  if (!ended.isError) return field(ended.shaped, "interrupted") === true ? null : 0;
  const code = /^Exit code (\d{1,9})\b/.exec(ended.text)?.[1];
  return code === undefined || ended.denied ? null : Number(code);
}

/** A note on a call that has no event type of its own. */
export function toolNote(call: ToolCall, ended: ToolOutcome): MappedEvent {
  const text = ended.isError
    ? `${call.name} failed: ${stripTags(ended.text)}`
    : `${call.name} ${Object.keys(call.input).length === 0 ? "was used" : inputText(call.input)}`;
  return {
    type: "message",
    payload: { text: shortened(text), role: "notice", tool: call.name, severity: ended.isError ? "warn" : "info" },
  };
}

/** That a helper was started, and for what. */
export function helperNote(call: ToolCall): MappedEvent {
  const what = stringField(call.input, "description") ?? stringField(call.input, "prompt") ?? "";
  const text = what === "" ? "A helper was started." : `A helper was started: ${what}`;
  return {
    type: "message",
    payload: { text: shortened(text), role: "notice", tool: call.name, subagent: helperName(call) },
  };
}

/** How a helper is called in the events it makes. */
export const helperName = (call: ToolCall): string =>
  stringField(call.input, "subagent_type") ?? stringField(call.input, "description") ?? "helper";

/** The text of a tool result: a string, or the text parts of a list. Pictures are named, not kept. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part) => (isObject(part) ? (stringField(part, "text") ?? `[${stringField(part, "type") ?? "unknown"}]`) : ""))
    .join("\n");
}

const stripTags = (text: string): string =>
  text
    .replace(/^<tool_use_error>|<\/tool_use_error>$/g, "")
    .replace(/^Error: /, "")
    .trim();

const shortened = (text: string): string =>
  text.length <= LONGEST_NOTE ? text : `${text.slice(0, LONGEST_NOTE - 1)}…`;

function inputText(input: JsonObject): string {
  try {
    return JSON.stringify(input);
  } catch {
    return "was used";
  }
}
