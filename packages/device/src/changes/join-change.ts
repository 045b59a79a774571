import { type DiffView, diffView } from "@codehands/api";
import { readObject, textOf } from "../replica/read-json.ts";
import type { ChangeRecord } from "./change-record.ts";
import { sha256Hex } from "./sha256-hex.ts";

export type JoinedChange = { ok: true; diff: DiffView } | { ok: false; reason: string };

const no = (reason: string): JoinedChange => ({ ok: false, reason });

/** Puts the slices of a change's log together, and takes the result only when it is what its owner's record names. */
export async function joinChange(record: ChangeRecord, lines: readonly string[]): Promise<JoinedChange> {
  if (lines.length < record.chunks)
    return no(`${lines.length} of ${record.chunks} parts of the change have arrived. Try again when the rest is here.`);
  const slices = lines.slice(0, record.chunks).map((line) => textOf(readObject(line), "text"));
  const text = slices.join("");
  if (slices.includes(null) || (await sha256Hex(text)) !== record.sha256)
    return no("The change that arrived is not the one that its device named. It was not shown; do not approve it.");
  const body = readObject(text);
  const parsed = diffView.safeParse({ ...body, ...(record.truncated ? { truncated: true } : {}) });
  if (!parsed.success) return no("The change was written by a newer version. Update Code Hands to read it.");
  if (parsed.data.treeId !== record.treeId)
    return no("The change that arrived is of another tree than its record names. It was not shown.");
  return { ok: true, diff: parsed.data };
}
