/** A JSON object that came from outside: nothing about its fields is known. */
export type JsonObject = { readonly [key: string]: unknown };

/** True for an object that is no array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The value at a path of keys; undefined when any step is missing. The value comes from `JSON.parse` and the keys are
 * ours, none of them a name that every object has: what is found is the line's own.
 */
export function field(value: unknown, key: string, ...deeper: readonly string[]): unknown {
  let at = isObject(value) ? value[key] : undefined;
  for (const next of deeper) at = isObject(at) ? at[next] : undefined;
  return at;
}

/** The string at a path, or undefined when there is something else. */
export function stringField(value: unknown, key: string, ...deeper: readonly string[]): string | undefined {
  const found = field(value, key, ...deeper);
  return typeof found === "string" ? found : undefined;
}

/** The finite number at a path, or undefined: `1e400` is none. */
export function numberField(value: unknown, key: string, ...deeper: readonly string[]): number | undefined {
  const found = field(value, key, ...deeper);
  return typeof found === "number" && Number.isFinite(found) ? found : undefined;
}

/** The list at a path; empty when there is none. */
export function listField(value: unknown, key: string, ...deeper: readonly string[]): readonly unknown[] {
  const found = field(value, key, ...deeper);
  return Array.isArray(found) ? found : [];
}
