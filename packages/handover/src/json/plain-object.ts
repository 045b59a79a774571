/**
 * True for an object that holds data and nothing else: what `{}` or JSON.parse makes, of this realm or another, or one
 * without a prototype. A Date, a Map or an instance of a class would lose what it is in JSON without a word.
 */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return true;
  return Object.getPrototypeOf(prototype) === null;
}

/** Sets an own key, also `__proto__`, which an assignment would take for the prototype. */
export function setOwn(target: object, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else (target as Record<string, unknown>)[key] = value;
}

/** The same value with every own key of the second in the place of the first's. Neither is changed. */
export function mergeOwn(first: Record<string, unknown>, second: Record<string, unknown>): Record<string, unknown> {
  const merged = {};
  for (const source of [first, second]) for (const key of Object.keys(source)) setOwn(merged, key, source[key]);
  return merged;
}
