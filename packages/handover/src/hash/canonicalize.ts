import { HandoverError } from "../handover-error.ts";
import { isPlainObject } from "../json/plain-object.ts";
import { readPlain } from "../json/read-plain.ts";
import { MOST_DEPTH } from "../packet/packet.ts";

/** Thrown inside only: where and what is found out when it is needed. */
class NotJsonFound extends Error {}

/** Keys repeat by the thousand; quoting each once is a third of the time. */
const MOST_QUOTED = 4096;

/**
 * The text that the id is the hash of: compact JSON without the top-level `id`, keys sorted by UTF-16 code units at every
 * depth, arrays in order, strings and numbers as JSON.stringify writes them. Throws for what is not JSON or is nested
 * deeper than 256 levels.
 */
export function canonicalize(record: unknown): string {
  try {
    return new Writer().write(record, 1);
  } catch (error) {
    const [first] = readPlain(record).problems;
    if (first === undefined) throw error;
    const where = first.path === "" ? "The record" : first.path;
    throw new HandoverError("not_json", `${where} has no canonical text: ${first.says}.`, [
      { path: first.path, code: "NOT_JSON", message: first.says },
    ]);
  }
}

class Writer {
  readonly #quoted = new Map<string, string>();

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
      text += `${text === "" ? "{" : ","}${this.#quote(key)}:${this.write(value[key], depth + 1)}`;
    }
    return text === "" ? "{}" : `${text}}`;
  }

  #quote(key: string): string {
    const before = this.#quoted.get(key);
    if (before !== undefined) return before;
    const quoted = JSON.stringify(key);
    if (this.#quoted.size < MOST_QUOTED) this.#quoted.set(key, quoted);
    return quoted;
  }
}

/** By UTF-16 code units, as `sort` without a comparison does it. */
function isSorted(keys: readonly string[]): boolean {
  for (let index = 1; index < keys.length; index++) {
    if ((keys[index - 1] ?? "") > (keys[index] ?? "")) return false;
  }
  return true;
}
