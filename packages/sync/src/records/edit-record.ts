import type { HeldRecord, RecordKey } from "../ports/held-record.ts";
import { isSharedKind } from "./may-write.ts";

export interface RecordEdit extends RecordKey {
  /** The new JSON text. */
  body: string;
  deleted?: boolean;
}

/** S24: an edit raises the rev; it is sealed when it is sent. `deviceId` becomes the writer of what is new or shared. */
export function editRecord(held: HeldRecord | null, edit: RecordEdit, deviceId: string): HeldRecord {
  return {
    kind: edit.kind,
    id: edit.id,
    rev: (held?.rev ?? 0) + 1,
    body: edit.body,
    deleted: edit.deleted ?? false,
    writer: held && !isSharedKind(edit.kind) ? held.writer : deviceId,
    mac: "",
    item: "",
    base: held?.base ?? null,
    dirty: "edit",
    blocked: null,
    quarantine: held?.quarantine ?? null,
  };
}
