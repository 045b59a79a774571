import { asList, asRecord, asText } from "./read-json.ts";

export interface Turn {
  by: "user" | "assistant";
  text: string;
}

const ROLES: Readonly<Record<string, Turn["by"]>> = {
  user: "user",
  human: "user",
  you: "user",
  "1": "user",
  assistant: "assistant",
  ai: "assistant",
  agent: "assistant",
  model: "assistant",
  bot: "assistant",
  cursor: "assistant",
  antigravity: "assistant",
  gemini: "assistant",
  claude: "assistant",
  "2": "assistant",
};

/** Where exports keep their messages, from the outside in. */
const CONTAINERS = [
  ...["tabs", "chats", "composers", "allComposers", "sessions", "conversations", "threads", "trajectory"],
  ...["conversation", "messages", "bubbles", "history", "turns", "steps", "entries", "items", "chat"],
];
const MOST_NESTING = 6;

/** Calls back for the turns of a chat export, in their order, wherever it keeps them. */
export function eachTurn(value: unknown, visit: (turn: Turn) => void, nesting = 0): void {
  if (nesting > MOST_NESTING) return;
  if (Array.isArray(value)) {
    for (const item of value) eachTurn(item, visit, nesting + 1);
    return;
  }
  const record = asRecord(value);
  if (record === null) return;
  const by = roleOf(record);
  if (by !== null) {
    const text = textOf(record, 0);
    if (text.trim() !== "") visit({ by, text });
    return;
  }
  for (const name of CONTAINERS) {
    if (Object.hasOwn(record, name)) eachTurn(record[name], visit, nesting + 1);
  }
}

/** The role that "user", "Human" and the rest stand for; null for a word that is none. */
export function roleNamed(name: string): Turn["by"] | null {
  const key = name.toLowerCase();
  return Object.hasOwn(ROLES, key) ? (ROLES[key] ?? null) : null;
}

function roleOf(record: Readonly<Record<string, unknown>>): Turn["by"] | null {
  for (const name of ["role", "type", "sender", "author", "source", "speaker", "from"]) {
    const value = record[name];
    const word = typeof value === "number" ? String(value) : (asText(value) ?? asText(asRecord(value)?.["role"]));
    const role = word === null ? null : roleNamed(word);
    if (role !== null) return role;
  }
  return null;
}

/** The words of a message: a text, parts with texts, or a message inside. */
function textOf(value: unknown, nesting: number): string {
  if (typeof value === "string") return value;
  if (nesting > MOST_NESTING) return "";
  if (Array.isArray(value)) {
    const parts = value.map((part) => (isProse(part) ? textOf(part, nesting + 1) : ""));
    return parts.filter(Boolean).join("\n");
  }
  const record = asRecord(value);
  if (record === null) return "";
  for (const name of ["content", "text", "message", "parts", "rawText", "markdown", "body"]) {
    const text = textOf(record[name], nesting + 1);
    if (text !== "") return text;
  }
  return "";
}

/** False for the calls, results and thoughts among the parts of a message. */
function isProse(part: unknown): boolean {
  const type = asText(asRecord(part)?.["type"]);
  return type === null || ["text", "input_text", "output_text", "markdown"].includes(type) || asList(part).length > 0;
}
