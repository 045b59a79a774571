import { computeId } from "../hash/compute-id.ts";
import { readFields } from "../json/read-fields.ts";
import type { Validation } from "../packet/error-codes.ts";
import { checkFields } from "./check-fields.ts";
import { isSha256Hex } from "./is-sha256-hex.ts";
import { Violations } from "./violations.ts";

/**
 * Checks a packet and tells every violation, at most ten thousand. It never throws, whatever it is given, and asks each
 * part of the value once. A packet without an id is valid; one whose id is not that of its content is not.
 */
export function validatePacket(value: unknown): Validation {
  const { fields, problems } = readFields(value);
  const violations = new Violations();
  if (fields === null) violations.add("", "NOT_OBJECT", "must be an object");
  else if (problems[0]?.path === "" && Object.keys(fields).length === 0) {
    violations.add("", "NOT_JSON", problems[0].says);
  } else {
    checkFields(fields, violations);
    const told = new Set(violations.errors.map((error) => error.path));
    for (const { path, says } of problems) if (!told.has(path)) violations.add(path, "NOT_JSON", says);
    if (problems.length === 0 && isSha256Hex(fields["id"]) && fields["id"] !== idOf(fields))
      violations.add("id", "ID_MISMATCH", "is not the hash of the content: the packet was changed after it was made");
  }
  return { valid: violations.errors.length === 0, errors: violations.errors };
}

/** Null when the text is too long to be one: no id is the right one then. */
function idOf(fields: object): string | null {
  try {
    return computeId(fields);
  } catch {
    return null;
  }
}
