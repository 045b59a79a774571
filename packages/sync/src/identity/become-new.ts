import { RECORD_KINDS } from "@codehands/contracts";
import type { Draft } from "../feed/draft.ts";
import { startReset } from "../feed/start-reset.ts";
import { isSharedKind } from "../records/may-write.ts";

/**
 * S3: this copy becomes a device of its own. The logs stay under the old id (T3 forks what it may not append). Unsent
 * edits that only the old id may send are given up and the cloud's rows come with a fresh snapshot; a command that was
 * never sent goes along under the new id. The draft must hold the dirty records.
 */
export function becomeNew(draft: Draft, deviceId: string): void {
  const { state } = draft;
  for (const record of draft.records()) {
    if (record.dirty !== "edit" || isSharedKind(record.kind) || record.writer !== state.deviceId) continue;
    const isNewCommand = record.kind === RECORD_KINDS.command && !record.base;
    draft.putRecord(record, isNewCommand ? { ...record, writer: deviceId, mac: "", item: "" } : null);
  }
  startReset(draft, { gen: state.gen, reason: "purged", epoch: state.epoch });
  Object.assign(state, { deviceId, boots: [], mode: "register", seen: null, copy: null });
}

/** S3: a person said that this copy is the device. The cloud compares what the refusal showed. */
export function adoptDevice(draft: Draft): void {
  const { state } = draft;
  if (state.copy) Object.assign(state, { mode: "adopt", seen: state.copy.seen, copy: null });
}
