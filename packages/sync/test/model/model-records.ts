import type { ModelStore } from "./model-store.ts";
import { copyOf, type Rules } from "./rules.ts";
import type { RecordResult, RecordRow } from "./shapes.ts";

/** Table T4: a record meets the cloud's row, or null when the cloud has none. */
export function mergeRecord(
  st: ModelStore,
  { key, row, lineage }: { key: string; row: RecordRow | null; lineage: boolean },
  rules: Rules,
): void {
  const held = st.recs[key];
  const take = (): void => {
    if (row) st.recs[key] = { ...copyOf(row), base: copyOf(row), dirty: "" };
    else delete st.recs[key];
  };
  if (!held) {
    if (row) take();
    return;
  }
  if (row && row.mac === held.mac) return take();
  held.base = row ? copyOf(row) : null;
  const rev = row?.rev ?? 0;
  if (held.dirty === "edit" && held.rev > rev) return;
  if (held.dirty === "edit" && !(held.kind === "outcome" && rules.rowWins)) {
    held.rev = rev + 1;
    held.mac = "";
  } else if ((held.dirty === "salvage" || (lineage && rules.salvage)) && held.rev > rev) held.dirty = "salvage";
  else take();
}

/** The answer of the cloud to one pushed record. */
export function answerRecord(st: ModelStore, result: RecordResult, rules: Rules): void {
  const { key, row, code } = result;
  const held = st.recs[key];
  if (!held) return;
  if (row && held.base && row.ver < held.base.ver) return;
  if (code === "FORBIDDEN") {
    if (held.mac !== result.mac || !rules.drop) return;
    held.dirty = "";
    mergeRecord(st, { key, row, lineage: false }, rules);
    return;
  }
  mergeRecord(st, { key, row, lineage: code === "CONFLICT" && held.dirty === "salvage" }, rules);
}
