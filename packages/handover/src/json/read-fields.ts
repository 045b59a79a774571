import { isPlainObject, setOwn } from "./plain-object.ts";
import { type NotJson, readPlain } from "./read-plain.ts";

/** The fields of a record, each copied by itself: one that cannot be read takes no other along. */
export interface FieldsReading {
  /** Null when the value is no record at all. */
  fields: Record<string, unknown> | null;
  problems: NotJson[];
  /** The fields of which only a part was read. */
  cut: Set<string>;
}

/** Reads whatever it is given as a record. It never throws. */
export function readFields(value: unknown): FieldsReading {
  const problems: NotJson[] = [];
  const cut = new Set<string>();
  try {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return { fields: null, problems, cut };
    if (!isPlainObject(value)) return { fields: {}, problems: [{ path: "", says: "it is not plain data" }], cut };
    const fields = {};
    for (const key of Object.keys(value)) {
      const reading = readPlain(value[key], key, 2);
      for (const problem of reading.problems) problems.push(problem);
      if (!reading.whole) cut.add(key);
      setOwn(fields, key, reading.value);
    }
    return { fields, problems, cut };
  } catch {
    return { fields: {}, problems: [{ path: "", says: "it cannot be read" }], cut };
  }
}
