/**
 * Text of a packet is data that somebody else wrote. In a briefing it must not become structure: no heading, fence, rule,
 * quote or HTML block may begin in it, and no tag that an agent could take for its operator's.
 */

/** Ends of lines of every kind; other control characters say nothing a reader could see. */
const LINE_END = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;
const CONTROL = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Tags that frame what an operator says to an agent. */
const FRAMING =
  /<(?=\s{0,8}[/|!?]?\s{0,8}(?:system|user|assistant|human|developer|instruction|environment|tool|function|command|local-command|task|thinking|antml|im_start|im_end|inst|sys|packet|handover)|[!?|])/gi;

/** One line that begins with a letter and holds nothing but ASCII, and no tag: most are, and mean what they say. */
const PLAIN = /^[A-Za-z][\x20-\x3b\x3d-\x7e]*$/;

/** The text as lines that are only text, wherever a list or a section puts them. */
export function textLines(text: string): string[] {
  if (PLAIN.test(text)) return [text.trimEnd()];
  const lines = text.split(LINE_END).map((line) => escapeLine(line.replace(CONTROL, "")));
  while (lines.length > 0 && lines[0]?.trim() === "") lines.shift();
  while (lines.length > 0 && lines.at(-1)?.trim() === "") lines.pop();
  // Two blank lines end what one does not.
  return lines.filter((line, index) => line !== "" || lines[index - 1] !== "");
}

/** All of it in one line. */
export function oneLine(text: string): string {
  return textLines(text.replace(/\s+/g, " ")).join(" ").trim();
}

function escapeLine(line: string): string {
  const body = line.trim();
  if (body === "") return "";
  // Four blanks would make it code, in which a backslash shows.
  const indent = " ".repeat(Math.min(line.length - line.trimStart().length, 3));
  return indent + escapeStart(body).replace(FRAMING, "&lt;");
}

/** Takes the meaning from what begins a block. Bullets and numbers stay: they nest and end nothing. */
function escapeStart(body: string): string {
  if (/^(?:#|`{3}|~{3}|>|=+$|[-_*](?:[ \t]*[-_*])*$|\|)/.test(body)) return `\\${body}`;
  // A bullet or a number may hold a block itself: "- # heading", "1. ```".
  const marker = /^(?:[-*+]|\d{1,9}[.)])[ \t]+/.exec(body)?.[0];
  if (marker !== undefined) return `${marker.trimEnd()} ${escapeStart(body.slice(marker.length))}`;
  return body.replace(/^<(?=[A-Za-z/!?])/, "&lt;");
}

/** Inline code that no backtick inside can end, in one line. */
export function codeSpan(text: string): string {
  if (PLAIN.test(text) && !text.includes("`")) return `\`${text.trim()}\``;
  const line = text.replace(CONTROL, "").split(LINE_END).join(" ").trim();
  const fence = "`".repeat(longestRun(line, "`") + 1);
  const pad = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${pad}${line.replace(FRAMING, "&lt;")}${pad}${fence}`;
}

/** A JSON block whose fence is longer than any run of backticks in it. Tags are written with an escape of JSON. */
export function jsonBlock(value: unknown): string[] {
  const text = (JSON.stringify(value, null, 2) ?? "null").replace(FRAMING, "\\u003c");
  const fence = "`".repeat(Math.max(3, longestRun(text, "`") + 1));
  return [`${fence}json`, ...text.split(/[\n\u2028\u2029]/), fence];
}

function longestRun(text: string, character: string): number {
  let longest = 0;
  let run = 0;
  for (let at = 0; at < text.length; at++) {
    run = text[at] === character ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}
