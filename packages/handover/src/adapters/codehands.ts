import { redactSecrets } from "../packet/find-secrets.ts";
import { type AdapterOptions, type LineReader, makeAdapter } from "../transcript/adapter.ts";
import { DraftBuilder } from "../transcript/draft-builder.ts";
import { ownText } from "../transcript/own-text.ts";
import { asList, asRecord, asText, parseRecord } from "../transcript/read-json.ts";

/** A command or the name of a test is no longer than this. */
const MOST_NAME = 1000;

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

  constructor(opts: AdapterOptions) {
    this.#opts = opts;
    this.#draft = new DraftBuilder(opts);
    this.#draft.tellCommands = true;
  }

  line(text: string): void {
    const line = parseRecord(text);
    if (line === null) return;
    this.#session ??= owned(line["sessionId"]);
    this.#about(asRecord(line["session"]));
    const payload = asRecord(line["payload"]);
    if (payload !== null) this.#event(asText(line["type"]) ?? "", payload);
  }

  end() {
    const { agent = this.#agent, from_session: session = this.#session } = this.#opts;
    const draft = this.#draft.build();
    const denied =
      this.#denied === 0
        ? ""
        : `Refused to the agent so far: ${this.#denied} ${this.#denied === 1 ? "action" : "actions"}.`;
    return {
      ...draft,
      context: [draft.context, denied].filter(Boolean).join("\n\n"),
      ...(agent === undefined ? {} : { agent }),
      ...(session === undefined ? {} : { from_session: session }),
    };
  }

  /** What the last line of a run says of its session. */
  #about(session: Line | null): void {
    if (session === null) return;
    this.#draft.user(owned(session["prompt"]) ?? "");
    this.#session ??= owned(session["id"]);
    this.#agent ??= owned(session["agent"]);
    for (const [from, to] of [
      ["branch", "branch"],
      ["baseCommit", "base_commit"],
      ["baseRef", "base_ref"],
    ] as const) {
      const value = owned(session[from]);
      if (value !== undefined) this.#draft.state[to] = value;
    }
  }

  #event(type: string, payload: Line): void {
    const text = (name: string): string => clean(asText(payload[name]) ?? "");
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

/** Without halves of characters, too much of it, and secrets: the state goes into the packet as it is. */
const clean = (text: string, most?: number): string => redactSecrets(ownText(text, most));

/** A text of the session, as a packet may hold it. */
const owned = (value: unknown): string | undefined => {
  const text = asText(value);
  return text === null ? undefined : clean(text);
};

function resultOf(payload: Line): string {
  if (payload["denied"] === true) return "refused";
  if (payload["unfinished"] === true) return "did not finish";
  if (typeof payload["exitCode"] === "number") return `exit ${payload["exitCode"]}`;
  return payload["isError"] === true ? "failed" : "succeeded";
}

function testsOf(payload: Line): Record<string, unknown> {
  const failed = asList(payload["failed"]).flatMap((name) =>
    typeof name === "string" ? [clean(name, MOST_NAME)] : [],
  );
  return {
    cmd: clean(asText(payload["command"]) ?? "", MOST_NAME),
    passed: payload["passed"] === true,
    ...(failed.length === 0 ? {} : { failed: failed.slice(0, 20) }),
  };
}
