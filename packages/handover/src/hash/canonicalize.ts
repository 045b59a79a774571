import { HandoverError } from "../handover-error.ts";
import { isPlainObject, setOwn } from "../json/plain-object.ts";
import { readPlain } from "../json/read-plain.ts";
import { MOST_DEPTH } from "../packet/packet.ts";

/** Thrown inside only: where and what is found out when it is needed. */
class NotJsonFound extends Error {}

/**
 * The text that the id is the hash of: compact JSON without the top-level `id`, keys sorted by UTF-16 code units at every
 * depth, arrays in order, strings and numbers as JSON.stringify writes them. Throws for what is not JSON or is nested
 * deeper than 256 levels.
 */
export function canonicalize(record: unknown): string {
  try {
    const sorter = new Sorter();
    const sorted = sorter.sort(record, 1);
    // The engine puts keys like "10" before all others, whatever order they were set in.
    return sorter.hasIndexKeys ? new Writer().write(record, 1) : JSON.stringify(sorted);
  } catch (error) {
    const [first] = readPlain(record).problems;
    if (first === undefined && !(error instanceof NotJsonFound)) throw error;
    if (first === undefined)
      throw new HandoverError("not_json", "A part of the record would write itself, with toJSON.");
    const where = first.path === "" ? "The record" : first.path;
    throw new HandoverError("not_json", `${where} has no canonical text: ${first.says}.`, [
      { path: first.path, code: "NOT_JSON", message: first.says },
    ]);
  }
}

/** Puts keys in order, so that the engine's own JSON.stringify writes the text: it is many times faster than ours. */
class Sorter {
  hasIndexKeys = false;

  /** The value itself where its keys are in order at every depth, else a copy of what is not. Throws for what is not JSON. */
  sort(value: unknown, depth: number): unknown {
    switch (typeof value) {
      case "string":
      case "boolean":
        return value;
      case "number":
        if (!Number.isFinite(value)) throw new NotJsonFound();
        return value;
      case "object":
        if (value === null) return null;
        if (depth > MOST_DEPTH || writesItself(value)) throw new NotJsonFound();
        if (Array.isArray(value)) return this.#array(value, depth);
        if (isPlainObject(value)) return this.#object(value, depth);
        throw new NotJsonFound();
      default:
        throw new NotJsonFound();
    }
  }

  #array(value: readonly unknown[], depth: number): readonly unknown[] {
    let copy: unknown[] | null = null;
    for (let index = 0; index < value.length; index++) {
      const member = value[index];
      const sorted = this.sort(member, depth + 1);
      if (copy !== null) copy.push(sorted);
      else if (sorted !== member) copy = [...value.slice(0, index), sorted];
    }
    return copy ?? value;
  }

  #object(value: Readonly<Record<string, unknown>>, depth: number): object {
    const keys = Object.keys(value);
    const inOrder = isSorted(keys) && !(depth === 1 && Object.hasOwn(value, "id"));
    if (!inOrder) keys.sort();
    let copy: Record<string, unknown> | null = inOrder ? null : {};
    for (let at = 0; at < keys.length; at++) {
      const key = keys[at] ?? "";
      if (depth === 1 && key === "id") continue;
      if (!inOrder && INDEX.test(key)) this.hasIndexKeys = true;
      const sorted = this.sort(value[key], depth + 1);
      if (copy === null && sorted !== value[key]) {
        copy = {};
        for (const before of keys.slice(0, at)) setOwn(copy, before, value[before]);
      }
      if (copy === null) continue;
      if (key === "__proto__") setOwn(copy, key, sorted);
      else copy[key] = sorted;
    }
    return copy ?? value;
  }
}

/** True for what would give JSON.stringify something else than it holds. In a plain object such a key is found as a function. */
function writesItself(value: object): boolean {
  if (Object.getPrototypeOf(value) === Object.prototype) return false;
  return typeof (value as { toJSON?: unknown }).toJSON === "function";
}

const INDEX = /^\d{1,10}$/;

/** Writes the text itself, for objects whose order of keys no object can have. */
class Writer {
  write(value: unknown, depth: number): string {
    switch (typeof value) {
      case "string":
        return JSON.stringify(value);
      case "number":
        if (!Number.isFinite(value)) throw new NotJsonFound();
        // The engine's own text of a number is JSON's, but for the minus of a zero.
        return value === 0 ? "0" : String(value);
      case "boolean":
        return value ? "true" : "false";
      case "object":
        if (value === null) return "null";
        if (depth > MOST_DEPTH) throw new NotJsonFound();
        if (Array.isArray(value)) return this.#array(value, depth);
        if (isPlainObject(value)) return this.#object(value, depth);
        throw new NotJsonFound();
      default:
        throw new NotJsonFound();
    }
  }

  #array(value: readonly unknown[], depth: number): string {
    if (value.length === 0) return "[]";
    let text = "[";
    for (let index = 0; index < value.length; index++) {
      text += index === 0 ? this.write(value[index], depth + 1) : `,${this.write(value[index], depth + 1)}`;
    }
    return `${text}]`;
  }

  #object(value: Readonly<Record<string, unknown>>, depth: number): string {
    const keys = Object.keys(value);
    if (!isSorted(keys)) keys.sort();
    let text = "";
    for (const key of keys) {
      if (depth === 1 && key === "id") continue;
      text += `${text === "" ? "{" : ","}${JSON.stringify(key)}:${this.write(value[key], depth + 1)}`;
    }
    return text === "" ? "{}" : `${text}}`;
  }
}

/** By UTF-16 code units, as `sort` without a comparison does it. */
function isSorted(keys: readonly string[]): boolean {
  for (let index = 1; index < keys.length; index++) {
    if ((keys[index - 1] ?? "") > (keys[index] ?? "")) return false;
  }
  return true;
}
