import { createHash } from "node:crypto";

/** What is stored in the place of a user code: its eight symbols, however they are grouped. */
export function hashCode(userCode: string): Buffer {
  return createHash("sha256").update(userCode.replaceAll("-", "")).digest();
}
