import { type AdapterOptions, type LineReader, makeAdapter } from "../transcript/adapter.ts";
import { DraftBuilder } from "../transcript/draft-builder.ts";
import { asList, asRecord, asText, parseRecord } from "../transcript/read-json.ts";

type Line = Readonly<Record<string, unknown>>;

/**
 * Code Hands' own events, one a line, as `codehands run --json` and `codehands logs --json` print them. The prompt is in
 * the line that ends a run; where it is missing the caller gives it as `goal`.
 */
export const fromCodehands = makeAdapter((opts) => new EventReader(opts));

class EventReader implements LineReader {
  readonly #opts: AdapterOptions;
  readonly #draft: DraftBuilder;
  #denied = 0;
  #agent: string | undefined;
  #session: string | undefined;
  #prompt: string | undefined;

  constructor(opts: AdapterOptions) {
    this.#opts = opts;
    this.#draft = new DraftBuilder(opts);
    this.#draft.tellCommands = true;
  }

  line(text: string): void {
    const line = parseRecord(text);
    if (line === null) return;
    this.#session ??= asText(line["sessionId"]) ?? undefined;
    this.#about(asRecord(line["session"]));
    const payload = asRecord(line["payload"]);
    if (payload !== null) this.#event(asText(line["type"]) ?? "", payload);
  }

  end() {
    const { agent = this.#agent, from_session: session = this.#session, goal = this.#prompt } = this.#opts;
    const draft = this.#draft.build();
    const denied =
      this.#denied === 0
        ? ""
        : `Refused to the agent so far: ${this.#denied} ${this.#denied === 1 ? "action" : "actions"}.`;
    return {
      ...draft,
      goal: goal ?? draft.goal,
      context: [draft.context, denied].filter(Boolean).join("\n\n"),
      ...(agent === undefined ? {} : { agent }),
      ...(session === undefined ? {} : { from_session: session }),
    };
  }

  /** What the last line of a run says of its session. */
  #about(session: Line | null): void {
    if (session === null) return;
    this.#prompt ??= asText(session["prompt"]) ?? undefined;
    this.#session ??= asText(session["id"]) ?? undefined;
    this.#agent ??= asText(session["agent"]) ?? undefined;
    for (const [from, to] of [
      ["branch", "branch"],
      ["baseCommit", "base_commit"],
      ["baseRef", "base_ref"],
    ] as const) {
      const value = asText(session[from]);
      if (value !== null) this.#draft.state[to] = value;
    }
  }

  #event(type: string, payload: Line): void {
    const text = (name: string): string => asText(payload[name]) ?? "";
    const { state } = this.#draft;
    switch (type) {
      case "task.started":
        this.#agent ??= text("agent") || undefined;
        this.#draft.cwd ??= asText(payload["cwd"]);
        if (text("agentSessionId") !== "") state["agent_session_id"] = text("agentSessionId");
        break;
      case "message":
        this.#message(payload);
        break;
      case "file.changed":
        if (payload["outside"] === true) break;
        if (payload["change"] === "delete") this.#draft.forget(text("path"));
        else this.#draft.file(text("path"));
        break;
      case "command.finished":
        this.#draft.command(text("command"), resultOf(payload));
        break;
      case "test.result":
        state["tests"] = testsOf(payload);
        break;
      case "task.finished":
        if (!this.#draft.hasContext) this.#draft.assistant(text("result"));
        if (text("diffStat") !== "") state["diff_stat"] = text("diffStat");
        delete state["ended"];
        break;
      case "task.failed":
      case "task.stopped":
        state["ended"] = { how: type.slice("task.".length), reason: text("reason") };
        break;
      default:
    }
  }

  #message(payload: Line): void {
    if (payload["denied"] === true) this.#denied += 1;
    // Notices are the runner's words; a subagent's are not the agent's.
    const aside = payload["denied"] === true || payload["role"] === "notice" || typeof payload["subagent"] === "string";
    if (!aside) this.#draft.assistant(asText(payload["text"]) ?? "");
  }
}

function resultOf(payload: Line): string {
  if (payload["denied"] === true) return "refused";
  if (payload["unfinished"] === true) return "did not finish";
  if (typeof payload["exitCode"] === "number") return `exit ${payload["exitCode"]}`;
  return payload["isError"] === true ? "failed" : "succeeded";
}

function testsOf(payload: Line): Record<string, unknown> {
  const failed = asList(payload["failed"]).filter((name) => typeof name === "string");
  return {
    cmd: asText(payload["command"]) ?? "",
    passed: payload["passed"] === true,
    ...(failed.length === 0 ? {} : { failed: failed.slice(0, 20) }),
  };
}
