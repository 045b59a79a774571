/** A JSON object that came from outside: nothing about its fields is known. */
export type JsonObject = { readonly [key: string]: unknown };

/** True for an object that is no array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at a path of keys; undefined when any step is missing. Own properties only, so `constructor` is no field. */
export function field(value: unknown, ...path: readonly string[]): unknown {
  let at = value;
  for (const key of path) {
    if (!isObject(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}

/** The string at a path, or undefined when there is something else. */
export function stringField(value: unknown, ...path: readonly string[]): string | undefined {
  const found = field(value, ...path);
  return typeof found === "string" ? found : undefined;
}

/** The finite number at a path, or undefined: `1e400` is none. */
export function numberField(value: unknown, ...path: readonly string[]): number | undefined {
  const found = field(value, ...path);
  return typeof found === "number" && Number.isFinite(found) ? found : undefined;
}

/** The list at a path; empty when there is none. */
export function listField(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = field(value, ...path);
  return Array.isArray(found) ? found : [];
}
