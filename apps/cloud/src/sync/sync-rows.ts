import type { LogRow, RecordRow } from "@codehands/contracts";

/** A row of the feed or of a push's answer, as the database gives it. */
export interface DatabaseRow {
  kind: number;
  id: string;
  version: number;
  mac: Buffer;
  deleted: boolean;
  writer: string;
  rev: number | null;
  key_id: number | null;
  body: Buffer | null;
  received_at: Date | null;
  writer_epoch: number | null;
  last_seq: number | null;
}

/** A record as it travels. */
export function toRecordRow(row: DatabaseRow): RecordRow {
  return {
    kind: row.kind,
    id: row.id,
    version: row.version,
    rev: row.rev ?? 0,
    mac: row.mac.toString("base64url"),
    keyId: row.key_id ?? 0,
    body: (row.body ?? Buffer.alloc(0)).toString("base64url"),
    deleted: row.deleted,
    writer: row.writer,
    receivedAt: (row.received_at ?? new Date(0)).toISOString(),
  };
}

/** A log's row as it travels. */
export function toLogRow(row: DatabaseRow): LogRow {
  return {
    streamId: row.id,
    kind: row.kind,
    writer: row.writer,
    writerEpoch: row.writer_epoch ?? 1,
    lastSeq: row.last_seq ?? 0,
    tailMac: row.mac.toString("base64url"),
    version: row.version,
    deleted: row.deleted,
  };
}
