import type { AgentKind, EventPayloads } from "@codehands/contracts";
import { shrinkRaw } from "../redact/shrink-raw.ts";
import type { AgentReport, LineMap, LineMapContext, MappedEvent } from "./agent-door.ts";
import { ClaudeCalls } from "./claude-calls.ts";
import { type Assembled, ClaudePartials, laneOf } from "./claude-partials.ts";
import { claudeApiError, claudeRateLimit, claudeRetry, type ProviderNotice } from "./claude-provider.ts";
import { ClaudeResults, isErrorResult, resultText } from "./claude-results.ts";
import { ClaudeTasks } from "./claude-tasks.ts";
import { contentText } from "./claude-tool-events.ts";
import { field, isObject, type JsonObject, listField, stringField } from "./field.ts";
import { parseJsonLine } from "./json-line.ts";
import { OUTPUT_CAP } from "./keep-tail.ts";
import { isSessionName } from "./session-name.ts";

/** Reads Claude Code's `--output-format stream-json`, line by line; `agent` is whoever speaks it. Does no I/O. */
export function claudeLines(context: LineMapContext, agent: AgentKind = "claude-code"): LineMap {
  return new ClaudeLines(context, agent);
}

/** Line types that say nothing a person needs: known, so passed over in silence. */
const SILENT = new Set([
  "control_request",
  "control_response",
  "control_cancel_request",
  "keep_alive",
  "tool_progress",
  "auth_status",
  "tool_use_summary",
  "prompt_suggestion",
]);

/** Below this size `shrinkRaw` changes nothing. */
const SMALLEST_BLOB = 4096;

/** A summary is not longer: an agent may repeat one message's id for ever. */
const LONGEST_SUMMARY = 1024 * 1024;

class ClaudeLines implements LineMap {
  readonly #context: LineMapContext;
  readonly #agent: AgentKind;
  readonly #calls: ClaudeCalls;
  readonly #tasks = new ClaudeTasks();
  readonly #results = new ClaudeResults();
  readonly #partials = new ClaudePartials();
  readonly #unknown = new Set<string>();
  #started = false;
  #agentSessionId: string | null = null;
  #failure: ProviderNotice | null = null;
  #last = { messageId: "", text: "" };

  constructor(context: LineMapContext, agent: AgentKind) {
    this.#context = context;
    this.#agent = agent;
    this.#calls = new ClaudeCalls(context);
  }

  line(text: string): MappedEvent[] {
    const parsed = parseJsonLine(text);
    if (parsed.kind === "blank") return [];
    if (parsed.kind === "text") return [rawText(parsed.text)];
    const events: MappedEvent[] = [];
    for (const object of parsed.objects) {
      const raw = lazyRaw(object, text.length);
      for (const event of this.#object(object, raw)) {
        event.raw ??= raw();
        events.push(event);
      }
    }
    return events;
  }

  oversize(bytes: number): MappedEvent[] {
    const text = `The agent printed a line of ${bytes} bytes. It was too long to keep; the lines after it are read.`;
    const payload = { text, role: "notice", severity: "warn", truncated: true, bytes } as const;
    return [{ type: "message", payload, raw: { truncated: true, bytes } }];
  }

  close(): MappedEvent[] {
    const left = this.#partials.flushAll().flatMap(({ lane, ...piece }) => {
      const line = { parent_tool_use_id: lane === "" ? null : lane };
      return this.#assembled([piece], line).map((event) => ({ ...event, raw: piece.block }));
    });
    return [...left, ...this.#calls.close()];
  }

  report(): AgentReport {
    const { state, retryAt, detail } = this.#failure ?? {};
    return {
      result: this.#results.report({ summary: this.#last.text, costBefore: this.#context.costBefore }),
      provider:
        state === undefined || detail === undefined
          ? null
          : { state, detail, ...(retryAt === undefined ? {} : { retryAt }) },
      reason: null,
      agentSessionId: this.#agentSessionId,
      denied: this.#calls.denied,
      open: this.#calls.openCommands + this.#tasks.openBeside((id) => this.#calls.isOpenCommand(id)),
    };
  }

  #object(line: JsonObject, raw: () => unknown): MappedEvent[] {
    const type = stringField(line, "type");
    if (type === "system") return this.#system(line);
    if (type === "assistant") return this.#assistant(line, raw);
    if (type === "user") return this.#user(line);
    if (type === "result") return this.#result(line);
    if (type === "rate_limit_event") return this.#provider(claudeRateLimit(line));
    if (type === "stream_event") return this.#assembled(this.#partials.piece(line), line);
    return type !== undefined && SILENT.has(type) ? [] : this.#unknownLine(type, line);
  }

  #system(line: JsonObject): MappedEvent[] {
    const subtype = stringField(line, "subtype");
    if (subtype === "init") return this.#init(line);
    if (subtype === "permission_denied") return this.#calls.denial(line);
    if (subtype === "api_retry") return this.#provider(claudeRetry(line));
    if (subtype === "model_refusal_no_fallback") {
      const text = stringField(line, "content") || "The model refused to answer.";
      return [{ type: "message", payload: { text, role: "notice", severity: "warn" } }];
    }
    this.#tasks.take(line);
    return subtype === "task_notification" ? this.#calls.backgroundEnded(line) : [];
  }

  #init(line: JsonObject): MappedEvent[] {
    // A resumed run may name another session than the one it was asked for: the newest one is the one to go on with.
    const id = stringField(line, "session_id");
    if (id !== undefined && isSessionName(id)) this.#agentSessionId = id;
    if (this.#started) return [];
    this.#started = true;
    const { runId, phase, resumed, model, cwd } = this.#context;
    const payload: EventPayloads["task.started"] = {
      agent: this.#agent,
      model: stringField(line, "model") ?? model,
      cwd: stringField(line, "cwd") ?? cwd,
      agentSessionId: this.#agentSessionId,
      runId,
      phase,
      ...(resumed ? { resumed } : {}),
    };
    return [{ type: "task.started", payload }];
  }

  #assistant(line: JsonObject, raw: () => unknown): MappedEvent[] {
    if (field(line, "is_api_error_message") === true) {
      return this.#failed(line, contentText(field(line, "message", "content")));
    }
    this.#failure = null;
    const messageId = stringField(line, "message", "id") ?? "";
    const content = field(line, "message", "content");
    const blocks =
      typeof content === "string" ? [{ type: "text", text: content }] : listField(line, "message", "content");
    const events: MappedEvent[] = [];
    for (const block of blocks) {
      if (!isObject(block) || this.#partials.sawWhole(line, messageId, block)) continue;
      events.push(...this.#block({ messageId, block }, line, raw));
    }
    return events;
  }

  #assembled(pieces: Assembled[], line: JsonObject): MappedEvent[] {
    return pieces.flatMap((piece) => this.#block(piece, line, () => piece.block));
  }

  #block({ messageId, block }: Assembled, line: JsonObject, raw: () => unknown): MappedEvent[] {
    const type = stringField(block, "type");
    if (type === "tool_use") return this.#calls.use(block, line, raw);
    const text = stringField(block, "text") ?? "";
    if (type !== "text" || text === "") return [];
    const parent = laneOf(line);
    if (parent !== "") {
      const subagent = stringField(line, "subagent_type") ?? this.#calls.helper(parent);
      return [{ type: "message", payload: { text, role: "agent", subagent } }];
    }
    const goesOn = messageId !== "" && messageId === this.#last.messageId;
    if (!goesOn) this.#last = { messageId, text };
    else if (this.#last.text.length < LONGEST_SUMMARY) this.#last = { messageId, text: this.#last.text + text };
    const plan = this.#context.phase === "plan";
    return [{ type: "message", payload: { text, role: plan ? "plan" : "agent", ...(plan ? { phase: "plan" } : {}) } }];
  }

  #user(line: JsonObject): MappedEvent[] {
    const left = this.#assembled(this.#partials.flush(laneOf(line)), line);
    const results = listField(line, "message", "content").flatMap((block) =>
      isObject(block) && stringField(block, "type") === "tool_result" ? this.#calls.result(block, line) : [],
    );
    return [...left, ...results];
  }

  #result(line: JsonObject): MappedEvent[] {
    const left = this.#assembled(this.#partials.flush(""), line);
    const kept = this.#results.take(line);
    if (this.#results.line !== line) return [...left, ...kept];
    if (!isErrorResult(line)) {
      this.#failure = null;
      return [...left, ...kept, ...this.#calls.settle()];
    }
    // An API error says subtype "success"; it was told before, unless its own line got lost.
    const untold = !(stringField(line, "subtype") ?? "").startsWith("error") && this.#failure === null;
    return [...left, ...kept, ...(untold ? this.#untold(line) : [])];
  }

  #untold(line: JsonObject): MappedEvent[] {
    const notice = claudeApiError(line, resultText(line));
    return notice === null ? [] : this.#provider(notice);
  }

  /** A request that Claude Code gave up on: a provider's state, or a plain failure in words. */
  #failed(line: JsonObject, text: string): MappedEvent[] {
    const notice = claudeApiError(line, text);
    if (notice !== null) return this.#provider(notice);
    this.#failure = null;
    return [{ type: "message", payload: { text, role: "notice", severity: "warn" } }];
  }

  #provider(notice: ProviderNotice | null): MappedEvent[] {
    if (notice === null) return [];
    const { attempt, transient } = notice;
    // A transient notice that is no retry is a warning: nothing has failed yet.
    if (!transient || attempt !== undefined) this.#failure = withReset(notice, this.#failure);
    return [{ type: "provider.status", payload: !transient && this.#failure !== null ? this.#failure : notice }];
  }

  #unknownLine(type: string | undefined, line: JsonObject): MappedEvent[] {
    if (type === undefined) return [rawText(JSON.stringify(line))];
    if (this.#unknown.has(type)) return [];
    if (this.#unknown.size < 100) this.#unknown.add(type);
    const text = `The agent printed a line of a kind that is not known here: ${type.slice(0, 100)}`;
    return [{ type: "message", payload: { text, role: "notice", severity: "info" } }];
  }
}

/** The last word on a limit may leave out when it ends; an earlier one of the same state has told it. */
function withReset(notice: ProviderNotice, before: ProviderNotice | null): ProviderNotice {
  if (notice.retryAt !== undefined || before?.state !== notice.state || before.retryAt === undefined) return notice;
  return { ...notice, retryAt: before.retryAt };
}

/** The line itself with blobs replaced, worked out once and only for a line that becomes an event. */
function lazyRaw(line: JsonObject, length: number): () => unknown {
  // A shorter line has no room for a blob.
  if (length < SMALLEST_BLOB) return () => line;
  let made: { value: unknown } | null = null;
  return () => (made ??= { value: shrinkRaw(line) }).value;
}

function rawText(text: string): MappedEvent {
  if (text.length <= OUTPUT_CAP) return { type: "message", payload: { text, role: "notice" }, raw: text };
  const kept = text.slice(0, OUTPUT_CAP);
  const bytes = Buffer.byteLength(text);
  return { type: "message", payload: { text: kept, role: "notice", truncated: true, bytes }, raw: kept };
}
