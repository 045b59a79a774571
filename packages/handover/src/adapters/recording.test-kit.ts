import { readFileSync } from "node:fs";

/** A recorded transcript, rollout or output stream of a real program. */
export function recording(name: string): string {
  return readFileSync(new URL(`../../test/fixtures/recordings/${name}.jsonl`, import.meta.url), "utf8");
}

/** Lines of JSON, as a program writes them. */
export function jsonLines(...lines: readonly unknown[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}
