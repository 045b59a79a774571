import type { LogRow, PullPage } from "@codehands/contracts";
import { isMisnamed, newLog } from "../ports/held-log.ts";
import { recordKey } from "../ports/held-record.ts";
import { mergeRecord, type OpenedRow } from "../records/merge-record.ts";
import type { Draft } from "./draft.ts";
import { startReset } from "./start-reset.ts";

export interface OpenedPage {
  page: PullPage;
  /** Opened rows by record key. */
  opened: ReadonlyMap<string, OpenedRow["opened"]>;
}

/** `late`: not for this cursor or generation. `mismatch`: the sums differ, a reset has begun (S11). */
export type PageResult = "late" | "more" | "head" | "mismatch";

/**
 * S8, S10, S11: a page and its cursor. The draft must hold the page's rows and, at head, what is unsettled and unbased.
 */
export function applyPage(draft: Draft, gen: number, { page, opened }: OpenedPage): PageResult {
  const { state } = draft;
  if (gen !== state.gen || page.from !== state.cursor) return "late";
  if (state.reset?.since === null) state.reset.since = page.head;
  const lineage = state.reset?.reason === "lineage";
  for (const row of page.rows) {
    if (row.row === "log") {
      const { row: _, ...logRow } = row;
      mergeLogRow(draft, logRow);
      continue;
    }
    const { row: _, ...record } = row;
    const held = draft.record(record);
    if (held?.base && record.version <= held.base.version) continue;
    const content = opened.get(recordKey(record)) ?? { ok: false as const, code: "BAD_FORMAT" };
    draft.putRecord(record, mergeRecord(held, { row: record, opened: content }, lineage));
  }
  state.cursor = page.next;
  state.top = Math.max(state.top, page.next);
  if (page.more) return "more";
  if (state.reset) sweep(draft, lineage);
  if (page.sum === undefined || state.top > page.head || state.sum === page.sum) return "head";
  // V20: for a row that names another writer all is asked for again once; then it is shown, and the sum proves nothing.
  const misnamed = draft.logs().filter(isMisnamed);
  const isNew = misnamed.some(({ row }) => (row?.version ?? 0) > page.from);
  if (misnamed.length > 0 && (lineage || !isNew)) return "head";
  state.sumResets += 1;
  startReset(draft, { gen: state.gen, reason: "lineage", epoch: state.epoch });
  return "mismatch";
}

/**
 * S14: a newer row is remembered; what follows from it is decided at head (T3). An own log is followed (S35). A log of
 * which anything is held keeps its writer for ever (V20): a row that names another one is counted as what the cloud said,
 * shown, and nothing follows from it.
 */
export function mergeLogRow(draft: Draft, row: LogRow): void {
  const held = draft.log(row.streamId) ?? newLog(row);
  if (held.row && row.version <= held.row.version) return;
  const isKnown = held.mine || held.lastSeq + held.waiting > 0;
  if (isKnown && row.writer !== held.writer) {
    draft.putLog({ ...held, row, blocked: { code: "NOT_ALLOWED", version: row.version } });
    return;
  }
  const followed = held.followed || row.writer === draft.state.deviceId;
  draft.putLog({ ...held, row, writer: row.writer, followed, blocked: null });
}

/** S10: what the cloud did not show meets "no row". */
function sweep(draft: Draft, lineage: boolean): void {
  for (const record of draft.records()) {
    if (record.base) continue;
    draft.putRecord(record, mergeRecord(record, null, lineage));
  }
  draft.state.reset = null;
}
