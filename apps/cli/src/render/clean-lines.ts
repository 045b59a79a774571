import { stripToLine } from "../terminal/strip-controls.ts";
import { byteSize, counted } from "./amounts.ts";
import { numberOf, type Payload, textOf } from "./read-payload.ts";

/** What `clean` removed, or would remove. Lists are named, plain counts are counted. */
export function renderClean(result: Payload, dryRun: boolean): string {
  const removed = namesOf(result.removed);
  const bytes = numberOf(result, "bytes") ?? 0;
  const verb = dryRun ? "Would remove" : "Removed";
  const lines = removed.names.map((name) => `  ${name}`);
  const head =
    removed.count === 0 ? "Nothing to remove." : `${verb} ${counted(removed.count, "item")}, ${byteSize(bytes)}.`;
  const kept = namesOf(result.kept);
  const keptLines =
    kept.count === 0 ? [] : [`Kept ${counted(kept.count, "item")}.`, ...kept.names.map((name) => `  ${name}`)];
  return `${[head, ...lines, ...keptLines].join("\n")}\n`;
}

/** How many things a result names. */
export function countOf(value: unknown): number {
  return namesOf(value).count;
}

function namesOf(value: unknown): { count: number; names: string[] } {
  if (typeof value === "number") return { count: value, names: [] };
  if (!Array.isArray(value)) return { count: 0, names: [] };
  return { count: value.length, names: value.map(nameOf) };
}

function nameOf(one: unknown): string {
  if (typeof one === "string") return stripToLine(one);
  if (typeof one !== "object" || one === null) return stripToLine(String(one));
  const payload = one as Payload;
  const name = textOf(payload, "path") ?? textOf(payload, "sessionId") ?? textOf(payload, "id") ?? JSON.stringify(one);
  const why = textOf(payload, "reason") ?? textOf(payload, "why");
  return stripToLine(why === null ? name : `${name}  ${why}`);
}
