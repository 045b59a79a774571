// JSON escapes C0 by itself; DEL, C1 and reordering marks it leaves as they are.
const LEFT_BY_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** JSON that means the same value and that a terminal shows without acting on it. */
export function harmlessJson(value: unknown, indent = 0): string {
  const text = JSON.stringify(value, null, indent === 0 ? undefined : indent) ?? "null";
  return text.replace(LEFT_BY_JSON, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
