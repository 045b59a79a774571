import { type AdapterOptions, type LineReader, makeAdapter } from "../transcript/adapter.ts";
import { DraftBuilder } from "../transcript/draft-builder.ts";
import { asList, asRecord, asText, parseRecord } from "../transcript/read-json.ts";
import { stripWrappers } from "../transcript/strip-wrappers.ts";

type Line = Readonly<Record<string, unknown>>;

/** Tools that change a file, and where their input names it. */
const WRITERS: Readonly<Record<string, string>> = {
  Edit: "file_path",
  MultiEdit: "file_path",
  Write: "file_path",
  NotebookEdit: "notebook_path",
};
const MOST_OPEN_CALLS = 1000;
const MOST_MARKS = 20_000;

/**
 * Claude Code: the transcript of a session (`~/.claude/projects/…/<id>.jsonl`) and the stream of
 * `claude -p --output-format stream-json`, which does not hold the prompt.
 */
export const fromClaudeCode = makeAdapter((opts) => new ClaudeReader(opts));

class ClaudeReader implements LineReader {
  readonly #draft: DraftBuilder;
  /** Calls of which the end is of interest: a file that one changes, a command that one runs. */
  readonly #calls = new Map<string, { path: string } | { command: string }>();
  /** How far the session had come at each line: the next prompt says which of them it follows. */
  readonly #marks = new Map<string, number>();
  #result: string | null = null;

  constructor(opts: AdapterOptions) {
    this.#draft = new DraftBuilder(opts);
  }

  line(text: string): void {
    const line = parseRecord(text);
    if (line === null) return;
    this.#draft.cwd ??= asText(line["cwd"]);
    if (!isAside(line)) this.#turn(line);
    const uuid = asText(line["uuid"]);
    if (uuid === null) return;
    this.#marks.set(uuid, this.#draft.mark);
    const [oldest] = this.#marks.keys();
    if (this.#marks.size > MOST_MARKS && oldest !== undefined) this.#marks.delete(oldest);
  }

  #turn(line: Line): void {
    const message = asRecord(line["message"]);
    const role = asText(line["type"]) ?? asText(message?.["role"]);
    if (role === "user") this.#user(message, asText(line["parentUuid"]));
    else if (role === "assistant") this.#assistant(message);
    else if (role === "result" && line["is_error"] !== true) this.#result = asText(line["result"]);
  }

  end() {
    if (!this.#draft.hasContext && this.#result !== null) this.#draft.assistant(this.#result);
    return this.#draft.build();
  }

  #user(message: Line | null, parent: string | null): void {
    for (const block of asList(message?.["content"]).map(asRecord)) {
      if (block?.["type"] === "tool_result") this.#finish(block);
    }
    const said = textsOf(message?.["content"]).map(stripWrappers).filter(Boolean).join("\n\n");
    if (said === "") return;
    // Whoever goes back to an earlier turn and says something else leaves the turns between behind.
    const mark = parent === null ? undefined : this.#marks.get(parent);
    if (mark !== undefined && mark < this.#draft.mark) this.#draft.rewind(mark);
    this.#draft.user(said);
  }

  #assistant(message: Line | null): void {
    // What the program itself says in the agent's name, as "No response requested."
    if (message?.["model"] === "<synthetic>") return;
    this.#draft.assistant(textsOf(message?.["content"]).join("\n"), asText(message?.["id"]));
    for (const block of asList(message?.["content"]).map(asRecord)) {
      if (block?.["type"] === "tool_use") this.#call(block);
    }
  }

  #call(block: Line): void {
    const [id, name, input] = [asText(block["id"]), asText(block["name"]) ?? "", asRecord(block["input"])];
    if (name === "TodoWrite") {
      const steps = asList(input?.["todos"]).map(asRecord);
      this.#draft.plan(
        steps.map((step) => ({ text: asText(step?.["content"]) ?? "", done: step?.["status"] === "completed" })),
      );
    }
    const path = Object.hasOwn(WRITERS, name) ? asText(input?.[WRITERS[name] ?? ""]) : null;
    const command = name === "Bash" ? asText(input?.["command"]) : null;
    if (id === null || (path === null && command === null)) return;
    if (this.#calls.size >= MOST_OPEN_CALLS) this.#calls.clear();
    this.#calls.set(id, path === null ? { command: (command ?? "").slice(0, 1000) } : { path });
  }

  #finish(result: Line): void {
    const id = asText(result["tool_use_id"]) ?? "";
    const call = this.#calls.get(id);
    if (call === undefined) return;
    this.#calls.delete(id);
    const failed = result["is_error"] === true;
    if ("command" in call) this.#draft.command(call.command, failed ? "failed" : "succeeded");
    else if (!failed) this.#draft.file(call.path);
  }
}

/** Lines beside the conversation: of a subagent, of the program itself, of a summary that replaces older turns. */
function isAside(line: Line): boolean {
  return (
    line["isMeta"] === true ||
    line["isSidechain"] === true ||
    line["isCompactSummary"] === true ||
    line["isVisibleInTranscriptOnly"] === true ||
    line["isApiErrorMessage"] === true ||
    typeof line["parent_tool_use_id"] === "string" ||
    asRecord(line["origin"])?.["kind"] === "task-notification"
  );
}

function textsOf(content: unknown): string[] {
  if (typeof content === "string") return [content];
  return asList(content).flatMap((item) => {
    const block = asRecord(item);
    const text = block?.["type"] === "text" ? asText(block["text"]) : asText(item);
    return text === null ? [] : [text];
  });
}
