import { canonicalize } from "./canonicalize.ts";
import { computeHash } from "./compute-hash.ts";

/** The id of a record: the sha256 of its canonical text, in which its own `id` is left out. Throws for what is not JSON. */
export function computeId(record: unknown): string {
  return computeHash(canonicalize(record));
}
