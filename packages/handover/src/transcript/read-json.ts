/** A record of JSON, or null for anything else: half a line, a number, a list. Null as well for what nests absurdly. */
export function parseRecord(line: string): Record<string, unknown> | null {
  // Only an object can be one, and blank or prose lines are many.
  if (!/^\s{0,100}\{/.test(line)) return null;
  return asRecord(parseJson(line));
}

/** The value of a JSON text, or undefined. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function asRecord(value: unknown): Record<string, unknown> | null {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
