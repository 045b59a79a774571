import type { LineMap, MappedEvent } from "./agent-door.ts";

/** Feeds lines, objects as JSON, and returns the events. */
export const feed = (map: LineMap, ...lines: unknown[]): MappedEvent[] =>
  lines.flatMap((line) => map.line(typeof line === "string" ? line : JSON.stringify(line)));
/** Type and payload of each event. */
export const told = (events: readonly MappedEvent[]) => events.map(({ type, payload }) => [type, payload]);
/** The texts of the messages. */
export const texts = (events: readonly MappedEvent[]) =>
  events.flatMap((event) => (event.type === "message" ? [event.payload.text] : []));

/** The first line of a turn. */
export const init = (id = "s-1") => ({ type: "system", subtype: "init", session_id: id, model: "m", cwd: "/repo" });
/** A line in which the agent says something. */
export const says = (text: string, id = "msg-1", more: object = {}) => ({
  type: "assistant",
  message: { id, content: [{ type: "text", text }] },
  parent_tool_use_id: null,
  ...more,
});
/** A line with a tool call. */
export const calls = (id: string, name: string, input: object) => ({
  type: "assistant",
  message: { id: `msg-${id}`, content: [{ type: "tool_use", id, name, input }] },
});
/** A line with the result of a call. */
export const answers = (id: string, content: unknown, more: { is_error?: boolean; line?: object } = {}) => ({
  type: "user",
  message: { content: [{ type: "tool_result", tool_use_id: id, content, is_error: more.is_error ?? false }] },
  ...more.line,
});
/** The last line. */
export const result = (more: object = {}) => ({
  type: "result",
  subtype: "success",
  is_error: false,
  result: "Done.",
  num_turns: 2,
  total_cost_usd: 0.1,
  usage: {},
  ...more,
});
