/** Prints one object as one line. */
export type Print = (line: Record<string, unknown>) => void;

export interface VoiceOptions {
  sessionId: string;
  cwd: string;
  plan: boolean;
  print: Print;
  /** Milliseconds since some fixed time. */
  now: () => number;
}

/** Speaks Claude Code's stream-json: init, texts, tool calls with their results, and the last line. */
export class SampleVoice {
  readonly #options: VoiceOptions;
  readonly #startedAt: number;
  #turns = 0;
  #count = 0;

  constructor(options: VoiceOptions) {
    this.#options = options;
    this.#startedAt = options.now();
  }

  init(): void {
    const { cwd, plan } = this.#options;
    this.#line({
      type: "system",
      subtype: "init",
      cwd,
      tools: ["Bash", "Read", "Edit"],
      mcp_servers: [],
      model: "sample",
      permissionMode: plan ? "plan" : "acceptEdits",
      apiKeySource: "none",
    });
  }

  say(text: string): void {
    this.#assistant({ type: "text", text });
  }

  /** Prints a tool call and returns its id. */
  call(name: string, input: Record<string, unknown>): string {
    this.#count += 1;
    const id = `sample_${this.#count}_${Math.floor(this.#startedAt).toString(36)}`;
    this.#assistant({ type: "tool_use", id, name, input });
    return id;
  }

  /** Prints a call's result; `shaped` is the tool's own record of it. */
  result(id: string, text: string, more: { isError?: boolean; shaped?: unknown } = {}): void {
    const { isError = false, shaped = isError ? `Error: ${text}` : text } = more;
    const content = [{ type: "tool_result", tool_use_id: id, content: text, is_error: isError }];
    this.#line({ type: "user", message: { role: "user", content }, parent_tool_use_id: null, tool_use_result: shaped });
  }

  /** The last line. It costs nothing, and says so. */
  end(result: string): void {
    this.#line({
      type: "result",
      subtype: "success",
      is_error: false,
      result,
      num_turns: this.#turns,
      duration_ms: Math.round(this.#options.now() - this.#startedAt),
      total_cost_usd: 0,
      usage: { input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 },
      permission_denials: [],
    });
  }

  #assistant(block: Record<string, unknown>): void {
    this.#turns += 1;
    const id = `msg_sample_${this.#turns}_${Math.floor(this.#startedAt).toString(36)}`;
    const message = { id, type: "message", role: "assistant", model: "sample", content: [block] };
    this.#line({ type: "assistant", message, parent_tool_use_id: null });
  }

  #line(line: Record<string, unknown>): void {
    this.#options.print({
      ...line,
      session_id: this.#options.sessionId,
      timestamp: new Date(this.#options.now()).toISOString(),
    });
  }
}
