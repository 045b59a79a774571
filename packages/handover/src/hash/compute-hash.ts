import { createHash } from "node:crypto";

/** Sha256 as 64 lowercase hex digits. A string counts as its UTF-8 bytes. Use it for `artifacts[].hash`. */
export function computeHash(content: string | Uint8Array): string {
  const hash = createHash("sha256");
  return (typeof content === "string" ? hash.update(content, "utf8") : hash.update(content)).digest("hex");
}
