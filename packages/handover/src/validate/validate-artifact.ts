import { readPlain } from "../json/read-plain.ts";
import type { Validation } from "../packet/error-codes.ts";
import { checkArtifact } from "./check-fields.ts";
import { Violations } from "./violations.ts";

/** Checks one artifact and tells every violation. It never throws, whatever it is given. */
export function validateArtifact(value: unknown): Validation {
  const reading = readPlain(value);
  const violations = new Violations();
  checkArtifact(reading.value, "", violations);
  for (const { path, says } of reading.problems) if (!violations.has(path)) violations.add(path, "NOT_JSON", says);
  return { valid: violations.errors.length === 0, errors: violations.errors };
}
