import { stripToLine } from "../terminal/strip-controls.ts";
import { byteSize, counted } from "./amounts.ts";
import { numberOf, objectOf, type Payload, textOf } from "./read-payload.ts";

/** What `clean` removed, or would remove. Lists are named, plain counts are counted. */
export function renderClean(result: Payload, dryRun: boolean): string {
  const removed = namesOf(result.removed);
  const emptied = emptiedOf(result);
  const size = byteSize(numberOf(result, "bytes") ?? 0);
  const parts = [
    ...(removed.count > 0 ? [counted(removed.count, "worktree")] : []),
    ...(emptied > 0 ? [`${counted(emptied, "session")} from the trash`] : []),
  ];
  const verb = dryRun ? "Would remove" : "Removed";
  const head = parts.length === 0 ? "Nothing to remove." : `${verb} ${parts.join(" and ")}, ${size}.`;
  const kept = namesOf(result.kept);
  const keptHead = kept.count === 0 ? [] : [`Kept ${counted(kept.count, "folder")}:`];
  const lines = [head, ...indented(removed.names), ...keptHead, ...indented(kept.names)];
  return `${lines.join("\n")}\n`;
}

/** Whether a result names anything that was or would be removed. */
export function removesAnything(result: Payload): boolean {
  return namesOf(result.removed).count > 0 || emptiedOf(result) > 0;
}

function emptiedOf(result: Payload): number {
  const trash = objectOf(result, "trash");
  return trash === null ? 0 : (numberOf(trash, "removed") ?? 0);
}

const indented = (names: string[]): string[] => names.map((name) => `  ${name}`);

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
  return why === null ? stripToLine(name) : `${stripToLine(name)}: ${stripToLine(why)}`;
}
