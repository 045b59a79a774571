/** The object that a JSON text holds; null for any other text. What came from elsewhere never throws. */
export function readObject(text: string | null): Record<string, unknown> | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** True for a JSON object. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A text field of an object; null when it is none. */
export function textOf(object: Record<string, unknown> | null, name: string): string | null {
  const value = object?.[name];
  return typeof value === "string" ? value : null;
}
