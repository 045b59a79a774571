import { type AdapterOptions, type LineReader, makeAdapter } from "../transcript/adapter.ts";
import { DraftBuilder } from "../transcript/draft-builder.ts";
import { asList, asRecord, asText, parseJson, parseRecord } from "../transcript/read-json.ts";
import { stripWrappers } from "../transcript/strip-wrappers.ts";

type Line = Readonly<Record<string, unknown>>;

/**
 * Codex: the rollout of a session (`~/.codex/sessions/…/rollout-….jsonl`, with or without the `payload` envelope of each
 * line) and the stream of `codex exec --json`, which does not hold the prompt.
 */
export const fromCodex = makeAdapter((opts) => new CodexReader(opts));

class CodexReader implements LineReader {
  readonly #draft: DraftBuilder;

  constructor(opts: AdapterOptions) {
    this.#draft = new DraftBuilder(opts);
  }

  line(text: string): void {
    const line = parseRecord(text);
    if (line === null) return;
    const payload = asRecord(line["payload"]);
    this.#draft.cwd ??= asText((payload ?? line)["cwd"]);
    const item = asRecord(line["item"]) ?? asRecord(payload?.["item"]);
    if (line["type"] === "item.completed" || payload?.["type"] === "item_completed") this.#item(item ?? {});
    else if (line["type"] === "item.updated" && item?.["type"] === "todo_list") this.#item(item);
    else if (payload !== null || line["type"] === "message" || line["type"] === "function_call")
      this.#record(payload ?? line);
  }

  end() {
    return this.#draft.build();
  }

  /** A line of the rollout. */
  #record(record: Line): void {
    switch (record["type"]) {
      case "message":
        if (record["role"] === "user") this.#user(textsOf(record["content"]));
        else if (record["role"] === "assistant") this.#draft.assistant(textsOf(record["content"]).join("\n"), null);
        break;
      case "user_message":
        this.#user([asText(record["message"]) ?? ""]);
        break;
      case "agent_message":
        this.#draft.assistant(asText(record["message"]) ?? "");
        break;
      case "function_call":
        if (record["name"] === "update_plan")
          this.#plan(asRecord(parseJson(asText(record["arguments"]) ?? ""))?.["plan"]);
        break;
      default:
    }
  }

  /** Something that is complete, in the stream or in the rollout; the two name and spell the same things differently. */
  #item(item: Line): void {
    switch (item["type"]) {
      case "UserMessage":
        this.#user(textsOf(item["content"]));
        break;
      case "AgentMessage":
        this.#draft.assistant(textsOf(item["content"]).join("\n"));
        break;
      case "agent_message":
        this.#draft.assistant(asText(item["text"]) ?? "");
        break;
      case "command_execution":
      case "CommandExecution":
        this.#draft.command(commandOf(item["command"]), resultOf(item));
        break;
      case "file_change":
      case "FileChange":
        if (item["status"] !== "failed" && item["status"] !== "declined") this.#files(item["changes"]);
        break;
      case "todo_list":
        this.#plan(item["items"]);
        break;
      default:
    }
  }

  #user(texts: readonly string[]): void {
    this.#draft.user(texts.map(stripWrappers).filter(Boolean).join("\n\n"));
  }

  /** A list of {path, kind} in the stream, a map of path to {type} in the rollout. */
  #files(changes: unknown): void {
    const list = Array.isArray(changes)
      ? changes.map(asRecord).map((change) => [change?.["path"], change?.["kind"]])
      : Object.entries(asRecord(changes) ?? {}).map(([path, change]) => [path, asRecord(change)?.["type"]]);
    for (const [path, kind] of list) {
      if (typeof path !== "string") continue;
      if (kind === "delete") this.#draft.forget(path);
      else this.#draft.file(path);
    }
  }

  #plan(steps: unknown): void {
    this.#draft.plan(
      asList(steps)
        .map(asRecord)
        .map((step) => ({
          text: asText(step?.["step"]) ?? asText(step?.["text"]) ?? "",
          done: step?.["completed"] === true || step?.["status"] === "completed",
        })),
    );
  }
}

/** What was run, without the shell that Codex wraps around it: a line in the stream, words in the rollout. */
function commandOf(command: unknown): string {
  if (Array.isArray(command)) return asText(command.at(-1)) ?? "";
  const line = asText(command) ?? "";
  const inner = /^\S{0,40}sh -l?c ([^]*)$/.exec(line)?.[1];
  if (inner === undefined) return line;
  return /^'[^']*'$/.test(inner) || /^"[^"\\]*"$/.test(inner) ? inner.slice(1, -1) : inner;
}

function resultOf(item: Line): string {
  if (item["status"] === "declined") return "refused";
  return typeof item["exit_code"] === "number" ? `exit ${item["exit_code"]}` : "did not finish";
}

function textsOf(content: unknown): string[] {
  if (typeof content === "string") return [content];
  return asList(content).flatMap((item) => {
    const text = asText(asRecord(item)?.["text"]);
    return text === null ? [] : [text];
  });
}
