import type { LineMapContext, MappedEvent } from "./agent-door.ts";
import {
  changeEvent,
  commandEvents,
  commandText,
  contentText,
  helperName,
  helperNote,
  readEvent,
  type ToolCall,
  type ToolKind,
  type ToolOutcome,
  toolKind,
  toolNote,
} from "./claude-tool-events.ts";
import { field, isObject, type JsonObject, listField, stringField } from "./field.ts";

/** Results that came before their call are kept for it, at most so many; a line may be 8 MiB. */
const MOST_EARLY = 16;
/** An older open call is closed when there are more. */
const MOST_OPEN = 1000;
/** So many ids are remembered, the newest ones. */
const MOST_IDS = 100_000;

interface OpenCall extends ToolCall {
  kind: ToolKind;
  /** Null for the main conversation. */
  parent: string | null;
  /** The line that opened it: what closes it later has no line of its own. */
  raw: () => unknown;
  at: number;
}

/** Keeps the tool calls of a run: matches results to calls by id, in whatever order they come. */
export class ClaudeCalls {
  readonly #context: LineMapContext;
  readonly #open = new Map<string, OpenCall>();
  readonly #seen = new Set<string>();
  readonly #denied = new Set<string>();
  readonly #early = new Map<string, { block: JsonObject; line: JsonObject }>();
  readonly #helpers = new Map<string, string>();
  #unnamed = 0;
  #denials = 0;
  #commands = 0;

  constructor(context: LineMapContext) {
    this.#context = context;
  }

  /** How many calls were refused. */
  get denied(): number {
    return this.#denials;
  }

  /** How many commands have no end yet. */
  get openCommands(): number {
    return this.#commands;
  }

  /** Whether this is the call of a command that has no end yet. */
  isOpenCommand(id: string): boolean {
    return this.#open.get(id)?.kind === "command";
  }

  /** The name of the helper whose call this is. */
  helper(parent: string): string {
    return this.#helpers.get(parent) ?? "helper";
  }

  /** A tool_use block. One that was printed before says nothing new. */
  use(block: JsonObject, line: JsonObject, raw: () => unknown): MappedEvent[] {
    const id = stringField(block, "id") ?? `unnamed-${++this.#unnamed}`;
    if (this.#seen.has(id)) return [];
    remember(this.#seen, id);
    const name = stringField(block, "name") ?? "unknown tool";
    const input = field(block, "input");
    const parent = stringField(line, "parent_tool_use_id") ?? null;
    const call: OpenCall = {
      id,
      name,
      kind: toolKind(name),
      input: isObject(input) ? input : {},
      parent,
      raw,
      at: timeOf(line),
    };
    const events = [...this.#makeRoom(), ...this.#opened(call)];
    this.#put(call);
    const early = this.#early.get(id);
    if (early === undefined) return events;
    this.#early.delete(id);
    return [...events, ...this.result(early.block, early.line)];
  }

  #put(call: OpenCall): void {
    this.#open.set(call.id, call);
    if (call.kind === "command") this.#commands += 1;
  }

  #take(call: OpenCall): void {
    if (this.#open.delete(call.id) && call.kind === "command") this.#commands -= 1;
  }

  #makeRoom(): MappedEvent[] {
    if (this.#open.size < MOST_OPEN) return [];
    const [oldest] = this.#open.values();
    return oldest === undefined ? [] : this.#unfinished(oldest);
  }

  #opened(call: OpenCall): MappedEvent[] {
    if (call.kind === "command") {
      return [{ type: "command.started", payload: { command: commandText(call), tool: call.name, callId: call.id } }];
    }
    if (call.kind === "helper") {
      if (this.#helpers.size < MOST_OPEN) this.#helpers.set(call.id, helperName(call));
      return [helperNote(call)];
    }
    const plan = call.kind === "plan" ? stringField(call.input, "plan") : undefined;
    if (plan === undefined) return [];
    return [{ type: "message", payload: { text: plan, role: "plan", phase: this.#context.phase } }];
  }

  /** A system/permission_denied line. */
  denial(line: JsonObject): MappedEvent[] {
    const id = stringField(line, "tool_use_id");
    const tool = stringField(line, "tool_name") ?? this.#open.get(id ?? "")?.name ?? "unknown tool";
    const said = stringField(line, "message") ?? stringField(line, "decision_reason") ?? "";
    return this.#refused(id ?? `unnamed-${++this.#unnamed}`, tool, said);
  }

  #refused(id: string, tool: string, said: string): MappedEvent[] {
    if (this.#denied.has(id)) return [];
    remember(this.#denied, id);
    this.#denials += 1;
    const call = this.#open.get(id);
    const command = call?.kind === "command" ? commandText(call) : "";
    const text = command === "" ? said || `${tool} was not allowed.` : `Not allowed: ${command}\n${said}`.trim();
    return [{ type: "message", payload: { text, role: "notice", denied: true, tool } }];
  }

  /** A tool_result block of a user line. */
  result(block: JsonObject, line: JsonObject): MappedEvent[] {
    const id = stringField(block, "tool_use_id") ?? "";
    const call = this.#open.get(id);
    if (call === undefined) {
      if (!this.#seen.has(id) && this.#early.size < MOST_EARLY) this.#early.set(id, { block, line });
      return [];
    }
    const shaped = field(line, "tool_use_result");
    const isError = field(block, "is_error") === true;
    if (call.kind === "command" && !isError && stringField(shaped, "backgroundTaskId") !== undefined) return [];
    this.#take(call);
    const text = contentText(field(block, "content"));
    const refused = wasRejected(line, id) ? this.#refusedBeforeEnd(call, text) : [];
    const ended: ToolOutcome = { text, isError, denied: this.#denied.has(id), shaped };
    return [...refused, ...this.#ended(call, ended, line)];
  }

  // The call is closed already, but its command belongs into the message.
  #refusedBeforeEnd(call: OpenCall, text: string): MappedEvent[] {
    this.#put(call);
    const events = this.#refused(call.id, call.name, text);
    this.#take(call);
    return events;
  }

  #ended(call: OpenCall, ended: ToolOutcome, line: JsonObject | null): MappedEvent[] {
    if (call.kind === "command") {
      const took = line === null ? Number.NaN : timeOf(line) - call.at;
      return commandEvents(this.#context, call, { ...ended, durationMs: took >= 0 ? took : undefined });
    }
    if (ended.denied || call.kind === "plan") return [];
    if (ended.isError) return [toolNote(call, ended)];
    if (call.kind === "read") return [readEvent(this.#context, call, ended.shaped)];
    const change = call.kind === "change" ? changeEvent(this.#context, call, ended.shaped) : null;
    if (change !== null) return [change];
    return call.kind === "other" ? [toolNote(call, ended)] : [];
  }

  /** The end of a command in the background: only a task notice tells it, and its output is not printed. */
  backgroundEnded(line: JsonObject): MappedEvent[] {
    const id = stringField(line, "tool_use_id") ?? "";
    const call = this.#open.get(id);
    if (call?.kind !== "command") return [];
    this.#take(call);
    const isError = stringField(line, "status") !== "completed";
    const summary = stringField(line, "summary") ?? "";
    const code = /exit code (\d{1,9})\b/.exec(summary)?.[1];
    const text = isError && code !== undefined ? `Exit code ${code}\n${summary}` : "";
    return this.#ended(call, { text, isError, denied: false, shaped: undefined }, null);
  }

  /** A run that went well and goes no further has carried out what it called, printed or not. */
  settle(): MappedEvent[] {
    const events: MappedEvent[] = [];
    for (const call of [...this.#open.values()]) {
      if (call.parent !== null || (call.kind !== "read" && call.kind !== "change")) continue;
      this.#take(call);
      const ended = { text: "", isError: false, denied: this.#denied.has(call.id), shaped: undefined };
      for (const event of this.#ended(call, ended, null)) events.push({ ...event, raw: call.raw() });
    }
    return events;
  }

  /** Ends the commands that are still open. */
  close(): MappedEvent[] {
    return [...this.#open.values()].flatMap((call) => this.#unfinished(call));
  }

  #unfinished(call: OpenCall): MappedEvent[] {
    this.#take(call);
    if (call.kind !== "command") return [];
    const payload = {
      command: commandText(call),
      callId: call.id,
      isError: true,
      denied: this.#denied.has(call.id),
      exitCode: null,
      output: "",
      unfinished: true as const,
    };
    return [{ type: "command.finished", payload, raw: call.raw() }];
  }
}

function remember(ids: Set<string>, id: string): void {
  ids.add(id);
  if (ids.size <= MOST_IDS) return;
  const [oldest = ""] = ids;
  ids.delete(oldest);
}

function wasRejected(line: JsonObject, id: string): boolean {
  return listField(line, "tool_result_meta").some(
    (meta) => field(meta, "id") === id && field(meta, "permission_decision", "decision") === "reject",
  );
}

const timeOf = (line: JsonObject): number => Date.parse(stringField(line, "timestamp") ?? "");
