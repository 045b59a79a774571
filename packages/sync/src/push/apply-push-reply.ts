import type { PushReply } from "@codehands/contracts";
import { applyPage, mergeLogRow, type OpenedPage, type PageResult } from "../feed/apply-page.ts";
import type { Draft } from "../feed/draft.ts";
import { startReset } from "../feed/start-reset.ts";
import { recordKey } from "../ports/held-record.ts";
import { answerRecord } from "../records/answer-record.ts";
import type { OpenedRow } from "../records/merge-record.ts";
import type { SentPush } from "./sent-push.ts";

export interface PushResult {
  /** False: something was refused, so a pull comes before the next push (S26). */
  clean: boolean;
  /** A reset has begun: the cloud does not have a log that was acknowledged. */
  reset: boolean;
  page: PageResult | null;
}

/** S14, S23, S26: the answers to a push, then the page that came with it. */
export function applyPushReply(
  draft: Draft,
  sent: SentPush,
  { reply, opened }: { reply: PushReply; opened: OpenedPage["opened"] },
): PushResult {
  const { state } = draft;
  const late = sent.gen !== state.gen;
  const answers = [...reply.logs, ...reply.records];
  const result: PushResult = { clean: answers.every(({ code }) => code === "OK"), reset: false, page: null };
  if (late) return { ...result, page: "late" };
  // A log that was acknowledged and is not there: the cloud was put back.
  if (reply.logs.some(({ code, row }) => code === "HAVE" && !row)) {
    startReset(draft, { gen: sent.gen, reason: "lineage", epoch: state.epoch });
    return { ...result, reset: true };
  }
  for (const { row } of reply.logs) if (row) mergeLogRow(draft, row);
  if (sent.deviceId === state.deviceId)
    for (const [i, { code, row }] of reply.records.entries()) {
      const key = sent.records[i];
      const held = key && draft.record(key);
      if (!key || !held) continue;
      const content: OpenedRow["opened"] = opened.get(recordKey(key)) ?? { ok: false, code: "BAD_FORMAT" };
      const met = row ? { row, opened: content } : null;
      draft.putRecord(key, answerRecord(held, { code, mac: key.mac, met }));
    }
  return reply.page ? { ...result, page: applyPage(draft, sent.gen, { page: reply.page, opened }) } : result;
}
