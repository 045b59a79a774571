import { join } from "../json/read-plain.ts";
import type { ErrorCode, ValidationError } from "../packet/error-codes.ts";

/** Ten thousand violations say what a million would. */
const MOST_ERRORS = 10_000;

/** Collects violations and holds the checks that every part of a packet shares. */
export class Violations {
  readonly errors: ValidationError[] = [];

  add(path: string, code: ErrorCode, message: string): void {
    if (this.errors.length < MOST_ERRORS) this.errors.push({ path, code, message });
  }

  has(path: string): boolean {
    return this.errors.some((error) => error.path === path);
  }

  missing(path: string): void {
    this.add(path, "MISSING_FIELD", "is missing");
  }

  /** A string with something in it. */
  filled(value: unknown, path: string): void {
    if (typeof value !== "string") this.add(path, "WRONG_TYPE", "must be a string");
    else if (value.trim() === "") this.add(path, "EMPTY_STRING", "must not be blank");
  }

  text(value: unknown, path: string): void {
    if (typeof value !== "string") this.add(path, "WRONG_TYPE", "must be a string");
  }

  texts(value: unknown, path: string): void {
    if (!Array.isArray(value)) this.add(path, "NOT_ARRAY", "must be an array of strings");
    else for (let index = 0; index < value.length; index++) this.text(value[index], `${path}[${index}]`);
  }

  /** Keys that the format does not know. */
  known(value: object, fields: readonly string[], path: string): void {
    for (const key of Object.keys(value)) {
      if (!fields.includes(key)) this.add(join(path, key), "UNKNOWN_FIELD", "is not a field of the format");
    }
  }
}
