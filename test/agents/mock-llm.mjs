#!/usr/bin/env node
import { appendFileSync, readFileSync } from "node:fs";
/**
 * mock-llm: a loopback stand-in for the two model APIs the agent CLIs speak.
 *
 *   POST /v1/messages               Anthropic Messages API   (streaming and not)
 *   POST /v1/messages/count_tokens  Anthropic token counting
 *   POST /v1/responses              OpenAI Responses API     (streaming)
 *   GET  /v1/models                 empty list
 *
 * It answers from a script, so a real `claude -p` or `codex exec` runs a whole
 * coding task without a model, a key or a network. Node >= 18, no dependencies.
 *
 * Script (JSON):
 * {
 *   "vars":  { "repo": "/path" },            // "{{repo}}" in any string is replaced;
 *                                            // "{{cwd}}" is the agent's working directory, read off each request
 *   "turns": [ Turn, ... ],                  // the main conversation, in order
 *   "lanes": [ { "name": "helper", "when": "regexp on the first user message", "turns": [Turn] } ]
 * }
 * Turn:
 * {
 *   "blocks": [                              // what the model says
 *     { "type": "text", "text": "..." },
 *     { "type": "thinking", "thinking": "..." },
 *     { "type": "tool_use", "name": "Read", "input": { ... } },
 *     { "type": "custom_tool_use", "name": "apply_patch", "input": "raw text" },   // Responses API only
 *     { "type": "raw_item", "item": { ... } }                                      // Responses API only
 *   ],
 *   "usage": { "input_tokens": 1200, "output_tokens": 80, "cached_tokens": 0 },
 *   "delay_ms": 0,                           // wait before the first byte
 *   "hang": true,                            // send the headers, then nothing
 *   "disconnect": "before" | "mid",          // drop the socket
 *   "error": { "status": 429, "body": {...}, "headers": {...} },   // an HTTP error
 *   "stream_error": { "type": "overloaded_error", "message": "..." },  // an error inside a 200 stream
 *   "headers": { ... },                      // extra response headers
 *   "stop_reason": "end_turn",               // default: tool_use when a tool is called
 *   "times": 1                               // how often the turn repeats; "always" = for ever
 * }
 * A request without tools is a side request (titles, summaries): it gets a fixed
 * line of text and does not use up a turn. When the script has run out, the last
 * answer is plain text "(script finished)".
 *
 * Command line: mock-llm.mjs --script FILE [--port 0] [--log FILE] [--var k=v ...]
 * Prints one JSON line, {"url":"http://127.0.0.1:PORT"}, when it is listening.
 */
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const DEFAULT_USAGE = { input_tokens: 1200, output_tokens: 80, cached_tokens: 0 };
const FINISHED = { blocks: [{ type: "text", text: "(script finished)" }], times: "always" };
const SIDE_REPLY = { blocks: [{ type: "text", text: "Mock side reply" }] };
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Cuts a string into pieces so that clients see real streaming. */
function pieces(text, size = 24) {
  const out = [];
  for (let at = 0; at < text.length; at += size) out.push(text.slice(at, at + size));
  return out.length > 0 ? out : [""];
}

/** Replaces {{name}} in every string of a JSON value. */
export function fillVars(value, vars) {
  if (typeof value === "string") {
    return value.replace(/\{\{(\w+)\}\}/g, (whole, name) => (name in vars ? String(vars[name]) : whole));
  }
  if (Array.isArray(value)) return value.map((item) => fillVars(item, vars));
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillVars(item, vars)]));
  }
  return value;
}

/** The agent's working directory as its request names it, or undefined. */
export function workingDirectory(body) {
  const text = JSON.stringify(body ?? {});
  const found = /working directory: (\/[^\s"\\]+)/i.exec(text) ?? /<cwd>(\/[^<"\\]+)<\/cwd>/.exec(text);
  return found?.[1];
}

/** Hands out the scripted turns, one list per lane. */
class Script {
  constructor(spec, vars = {}) {
    const filled = fillVars(spec, { ...(spec.vars ?? {}), ...vars });
    this.lanes = (filled.lanes ?? []).map((lane) => ({
      name: lane.name,
      when: new RegExp(lane.when, "s"),
      queue: expand(lane.turns),
    }));
    this.main = { name: "main", queue: expand(filled.turns ?? []) };
    this.ids = 0;
  }

  nextId(prefix) {
    this.ids += 1;
    return `${prefix}_mock${String(this.ids).padStart(4, "0")}`;
  }

  take({ hasTools, firstUserText }) {
    if (!hasTools) return { lane: "side", turn: SIDE_REPLY };
    const lane = this.lanes.find((item) => item.when.test(firstUserText)) ?? this.main;
    const head = lane.queue[0];
    if (head === undefined) return { lane: lane.name, turn: FINISHED };
    if (head.left !== Infinity) head.left -= 1;
    if (head.left === 0) lane.queue.shift();
    return { lane: lane.name, turn: head.turn };
  }
}

function expand(turns) {
  return turns.map((turn) => ({ turn, left: turn.times === "always" ? Infinity : (turn.times ?? 1) }));
}

// ---------------------------------------------------------------- Anthropic

const textOf = (content) => {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => part.text ?? "").join("\n");
};

function anthropicRequest(body) {
  const first = (body.messages ?? []).find((message) => message.role === "user");
  return { hasTools: (body.tools ?? []).length > 0, firstUserText: textOf(first?.content) };
}

function anthropicMessage(turn, body, script) {
  const usage = { ...DEFAULT_USAGE, ...turn.usage };
  const content = [];
  for (const block of turn.blocks ?? []) {
    if (block.type === "text") content.push({ type: "text", text: block.text });
    else if (block.type === "thinking") {
      content.push({ type: "thinking", thinking: block.thinking, signature: "bW9jay1zaWduYXR1cmU=" });
    } else if (block.type === "tool_use") {
      content.push({ type: "tool_use", id: script.nextId("toolu"), name: block.name, input: block.input });
    }
  }
  const calls = content.some((block) => block.type === "tool_use");
  return {
    id: script.nextId("msg"),
    type: "message",
    role: "assistant",
    model: body.model,
    content,
    stop_reason: turn.stop_reason ?? (calls ? "tool_use" : "end_turn"),
    stop_sequence: null,
    usage: {
      input_tokens: usage.input_tokens,
      output_tokens: usage.output_tokens,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: usage.cached_tokens,
    },
  };
}

function* anthropicEvents(message, turn) {
  const empty = { ...message, content: [], stop_reason: null, usage: { ...message.usage, output_tokens: 1 } };
  yield { type: "message_start", message: empty };
  for (const [index, block] of message.content.entries()) {
    const delta = (value) => ({ type: "content_block_delta", index, delta: value });
    if (block.type === "text") {
      yield { type: "content_block_start", index, content_block: { type: "text", text: "" } };
      for (const text of pieces(block.text)) yield delta({ type: "text_delta", text });
    } else if (block.type === "thinking") {
      yield { type: "content_block_start", index, content_block: { type: "thinking", thinking: "", signature: "" } };
      for (const thinking of pieces(block.thinking)) yield delta({ type: "thinking_delta", thinking });
      yield delta({ type: "signature_delta", signature: block.signature });
    } else {
      yield { type: "content_block_start", index, content_block: { ...block, input: {} } };
      for (const part of pieces(JSON.stringify(block.input)))
        yield delta({ type: "input_json_delta", partial_json: part });
    }
    yield { type: "content_block_stop", index };
  }
  if (turn.stream_error) {
    yield { type: "error", error: turn.stream_error };
    return;
  }
  yield {
    type: "message_delta",
    delta: { stop_reason: message.stop_reason, stop_sequence: null },
    usage: { output_tokens: message.usage.output_tokens },
  };
  yield { type: "message_stop" };
}

// ---------------------------------------------------------- OpenAI Responses

function responsesRequest(body) {
  const input = Array.isArray(body.input) ? body.input : [];
  const users = input.filter((item) => item.role === "user").map((item) => textOf(item.content));
  return { hasTools: (body.tools ?? []).length > 0, firstUserText: users.join("\n") };
}

function responsesItems(turn, script) {
  return (turn.blocks ?? []).map((block) => {
    if (block.type === "text") {
      return {
        type: "message",
        id: script.nextId("msg"),
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: block.text, annotations: [] }],
      };
    }
    if (block.type === "thinking") {
      return {
        type: "reasoning",
        id: script.nextId("rs"),
        encrypted_content: "bW9jaw==",
        summary: [{ type: "summary_text", text: block.thinking }],
      };
    }
    if (block.type === "custom_tool_use") {
      return {
        type: "custom_tool_call",
        id: script.nextId("ctc"),
        call_id: script.nextId("call"),
        name: block.name,
        input: block.input,
        status: "completed",
      };
    }
    if (block.type === "raw_item") return block.item;
    return {
      type: "function_call",
      id: script.nextId("fc"),
      call_id: script.nextId("call"),
      name: block.name,
      ...(block.namespace ? { namespace: block.namespace } : {}),
      arguments: JSON.stringify(block.input),
      status: "completed",
    };
  });
}

function* responsesEvents(turn, body, script) {
  const usage = { ...DEFAULT_USAGE, ...turn.usage };
  const id = script.nextId("resp");
  const response = { id, object: "response", status: "in_progress", model: body.model, output: [] };
  let sequence = 0;
  const event = (type, fields) => ({ type, sequence_number: sequence++, ...fields });
  yield event("response.created", { response });
  const output = responsesItems(turn, script);
  for (const [index, item] of output.entries()) {
    const place = { item_id: item.id, output_index: index };
    const started =
      item.type === "message" ? { ...item, content: [], status: "in_progress" } : { ...item, status: "in_progress" };
    yield event("response.output_item.added", { output_index: index, item: started });
    if (item.type === "message") {
      for (const delta of pieces(item.content[0].text)) {
        yield event("response.output_text.delta", { ...place, content_index: 0, delta });
      }
    } else if (item.type === "reasoning") {
      yield event("response.reasoning_summary_part.added", {
        ...place,
        summary_index: 0,
        part: { type: "summary_text", text: "" },
      });
      for (const delta of pieces(item.summary[0].text)) {
        yield event("response.reasoning_summary_text.delta", { ...place, summary_index: 0, delta });
      }
    }
    yield event("response.output_item.done", { output_index: index, item });
  }
  if (turn.stream_error) {
    yield event("response.failed", { response: { ...response, status: "failed", error: turn.stream_error } });
    return;
  }
  yield event("response.completed", {
    response: {
      ...response,
      status: "completed",
      output,
      usage: {
        input_tokens: usage.input_tokens,
        input_tokens_details: { cached_tokens: usage.cached_tokens },
        output_tokens: usage.output_tokens,
        output_tokens_details: { reasoning_tokens: usage.reasoning_tokens ?? 0 },
        total_tokens: usage.input_tokens + usage.output_tokens,
      },
    },
  });
}

// -------------------------------------------------------------------- server

async function readBody(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  if (text === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    return { unparsed: text.slice(0, 200) };
  }
}

function sendJson(response, status, body, headers = {}) {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

async function sendEvents(request, response, events, turn) {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache", ...turn.headers });
  response.flushHeaders();
  if (turn.hang) return; // the client has to give up
  let sent = 0;
  for (const event of events) {
    if (response.destroyed) return;
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    sent += 1;
    if (turn.disconnect === "mid" && sent >= 3) {
      await sleep(20);
      request.socket.destroy();
      return;
    }
  }
  response.end();
}

async function answer(request, response, script, observe) {
  const path = new URL(request.url, "http://mock").pathname;
  const body = await readBody(request);
  const isMessages = path.endsWith("/messages");
  const isResponses = path.endsWith("/responses");
  if (request.method !== "POST" || !(isMessages || isResponses)) {
    observe({ method: request.method, path, lane: "other", body });
    if (path.endsWith("/count_tokens")) return sendJson(response, 200, { input_tokens: 100 });
    if (path.endsWith("/models")) return sendJson(response, 200, { object: "list", data: [], has_more: false });
    return sendJson(response, 404, { type: "error", error: { type: "not_found_error", message: `no route ${path}` } });
  }
  const { lane, turn: scripted } = script.take(isMessages ? anthropicRequest(body) : responsesRequest(body));
  const cwd = workingDirectory(body);
  const turn = cwd === undefined ? scripted : fillVars(scripted, { cwd });
  observe({
    method: request.method,
    path,
    lane,
    model: body.model,
    tools: (body.tools ?? []).map((t) => t.name ?? t.type),
    body,
  });
  if (turn.delay_ms) await sleep(turn.delay_ms);
  if (turn.disconnect === "before") return request.socket.destroy();
  if (turn.error) return sendJson(response, turn.error.status, turn.error.body ?? {}, turn.error.headers);
  if (isResponses) return sendEvents(request, response, responsesEvents(turn, body, script), turn);
  const message = anthropicMessage(turn, body, script);
  if (body.stream !== true) return sendJson(response, 200, message, turn.headers);
  return sendEvents(request, response, anthropicEvents(message, turn), turn);
}

/** Starts the server on the loopback interface. Port 0 picks a free one. */
export async function startMockLlm({ script: spec, vars = {}, port = 0, onRequest = () => {} }) {
  const script = new Script(spec, vars);
  const requests = [];
  const observe = (entry) => {
    requests.push(entry);
    onRequest(entry);
  };
  const server = createServer((request, response) => {
    answer(request, response, script, observe).catch((error) => {
      if (!response.headersSent) sendJson(response, 500, { error: { type: "mock_error", message: String(error) } });
      else response.destroy();
    });
  });
  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    port: server.address().port,
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function main() {
  const { values } = parseArgs({
    options: {
      script: { type: "string" },
      port: { type: "string", default: "0" },
      log: { type: "string" },
      var: { type: "string", multiple: true, default: [] },
    },
  });
  if (!values.script) throw new Error("usage: mock-llm.mjs --script FILE [--port N] [--log FILE] [--var name=value]");
  const vars = Object.fromEntries(
    values.var.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  );
  const mock = await startMockLlm({
    script: JSON.parse(readFileSync(values.script, "utf8")),
    vars,
    port: Number(values.port),
    onRequest: (entry) => values.log && appendFileSync(values.log, `${JSON.stringify(entry)}\n`),
  });
  console.log(JSON.stringify({ url: mock.url }));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  main().catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
}
