import { MOST_DEPTH } from "../packet/packet.ts";
import { isPlainObject, setOwn } from "./plain-object.ts";

/** A place whose value no JSON text can hold. */
export interface NotJson {
  path: string;
  says: string;
}

/** A copy of a value that nobody else holds: plain data, with null in the place of what is not JSON. */
export interface PlainReading {
  value: unknown;
  problems: NotJson[];
  /** False when the reading ended early, for a value without an end: the copy is a part of it. */
  whole: boolean;
}

/** Parts that are held in many places count in each of them, so a small object can stand for an endless text. */
const MOST_CHARACTERS = 16 * 1024 * 1024;
/** More say no more. */
const MOST_PROBLEMS = 1000;

interface Seen {
  copy: unknown;
  /** Levels below and with it. */
  height: number;
  /** Characters of its text, roughly. */
  size: number;
}

/**
 * Copies whatever it is given, once: getters and proxies are asked a single time, so what was checked is what is used.
 * It never throws, and it ends for cycles, for values of any depth and for proxies that make new ones for ever.
 */
export function readPlain(value: unknown, path = "", depth = 1): PlainReading {
  const reader = new PlainReader();
  const { copy } = reader.read({ value, path, depth });
  return { value: copy, problems: reader.problems, whole: !reader.stopped };
}

class PlainReader {
  readonly problems: NotJson[] = [];
  stopped = false;
  readonly #seen = new Map<object, Seen>();
  readonly #above = new Set<object>();
  #size = 0;

  read(at: { value: unknown; path: string; depth: number }): Seen {
    const { value, path } = at;
    switch (typeof value) {
      case "string":
        return this.#leaf(value, value.length + 2);
      case "boolean":
        return this.#leaf(value, 5);
      case "number":
        if (Number.isFinite(value)) return this.#leaf(value, 8);
        return this.#nothing(path, `${value} is no number of JSON`);
      case "object":
        return value === null ? this.#leaf(null, 4) : this.#container({ ...at, value });
      default:
        return this.#nothing(path, `JSON has no ${typeof value}`);
    }
  }

  #container(at: { value: object; path: string; depth: number }): Seen {
    const { value, path, depth } = at;
    if (depth > MOST_DEPTH) return this.#stop(path, `it is nested deeper than ${MOST_DEPTH} levels`);
    if (this.#above.has(value)) return this.#nothing(path, "it holds itself");
    const before = this.#seen.get(value);
    if (before !== undefined) {
      if (depth + before.height - 1 > MOST_DEPTH)
        return this.#stop(path, `it is nested deeper than ${MOST_DEPTH} levels`);
      this.#count(before.size, path);
      return before;
    }
    this.#above.add(value);
    const start = this.#size;
    const result = this.#members(at);
    this.#above.delete(value);
    const seen = { ...result, size: this.#size - start };
    this.#seen.set(value, seen);
    return seen;
  }

  #members(at: { value: object; path: string; depth: number }): Omit<Seen, "size"> {
    const { value, path, depth } = at;
    let height = 0;
    this.#count(2, path);
    const take = (member: unknown, memberPath: string): unknown => {
      const seen = this.read({ value: member, path: memberPath, depth: depth + 1 });
      height = Math.max(height, seen.height);
      return seen.copy;
    };
    try {
      if (Array.isArray(value)) {
        const copy: unknown[] = [];
        for (let index = 0; index < value.length && !this.stopped; index++) {
          this.#count(1, path);
          copy.push(take(value[index], `${path}[${index}]`));
        }
        return { copy, height: height + 1 };
      }
      if (!isPlainObject(value)) {
        this.#problem(path, "it is not plain data: an instance of a class would lose what it is");
        return { copy: null, height: 1 };
      }
      const copy = {};
      for (const key of Object.keys(value)) {
        if (this.stopped) break;
        this.#count(key.length + 4, path);
        setOwn(copy, key, take(value[key], join(path, key)));
      }
      return { copy, height: height + 1 };
    } catch {
      this.#problem(path, "it cannot be read");
      return { copy: null, height: height + 1 };
    }
  }

  #leaf(copy: unknown, size: number): Seen {
    this.#size += size;
    return { copy, height: 0, size };
  }

  #nothing(path: string, says: string): Seen {
    this.#problem(path, says);
    return this.#leaf(null, 4);
  }

  #count(size: number, path: string): void {
    this.#size += size;
    if (this.#size > MOST_CHARACTERS) this.#stop(path, "its text would be larger than any packet can be");
  }

  #problem(path: string, says: string): void {
    if (this.stopped) return;
    this.problems.push({ path, says });
    if (this.problems.length >= MOST_PROBLEMS) this.stopped = true;
  }

  #stop(path: string, says: string): Seen {
    this.#problem(path, says);
    this.stopped = true;
    return { copy: null, height: 0, size: 0 };
  }
}

/** The path of a member, as errors name it. Endless keys are cut. */
export function join(path: string, key: string): string {
  const name = key.length > 200 ? `${key.slice(0, 200)}…` : key;
  return path === "" ? name : `${path}.${name}`;
}
