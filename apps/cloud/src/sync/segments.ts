import type { SegmentsReply, SegmentsRequest } from "@codehands/api/cloud";
import type { Sql } from "postgres";

/** An answer holds at most this many sealed bytes, but always one segment. */
const ANSWER_BYTES = 4 * 1024 * 1024;

interface SegmentRow {
  alive: boolean;
  from_seq: number | null;
  to_seq: number;
  prev_mac: Buffer;
  mac: Buffer;
  key_id: number;
  body: Buffer;
}

/**
 * Segments of one log in the order of seq. Forwards they begin with the one that covers `after` + 1, backwards they end
 * with the one that covers `before` − 1 (S19). `gone` when the log is deleted or was never here (S21).
 */
export async function readSegments(sql: Sql, accountId: string, request: SegmentsRequest): Promise<SegmentsReply> {
  const { streamId, limit, before } = request;
  const after = request.after ?? 0;
  const rows =
    before === undefined
      ? await sql<SegmentRow[]>`
          with found as (
            select *, row_number() over w as place, sum(octet_length(body)) over w as bytes
            from (
              select * from segments
              where account_id = ${accountId} and stream_id = ${streamId} and to_seq > ${after}
                and from_seq >= coalesce((
                  select max(from_seq) from segments
                  where account_id = ${accountId} and stream_id = ${streamId} and from_seq <= ${after + 1}), 0)
              order by from_seq limit ${limit}
            ) as run window w as (order by from_seq)
          )
          select not logs.deleted as alive, found.* from logs
          left join found on found.place = 1 or found.bytes <= ${ANSWER_BYTES}
          where logs.account_id = ${accountId} and logs.stream_id = ${streamId} order by found.from_seq`
      : await sql<SegmentRow[]>`
          with found as (
            select *, row_number() over w as place, sum(octet_length(body)) over w as bytes
            from (
              select * from segments
              where account_id = ${accountId} and stream_id = ${streamId} and from_seq < ${before}
              order by from_seq desc limit ${limit}
            ) as run window w as (order by from_seq desc)
          )
          select not logs.deleted as alive, found.* from logs
          left join found on found.place = 1 or found.bytes <= ${ANSWER_BYTES}
          where logs.account_id = ${accountId} and logs.stream_id = ${streamId} order by found.from_seq`;
  if (rows[0]?.alive !== true) return { gone: true };
  return {
    segments: rows.flatMap((row) =>
      row.from_seq === null
        ? []
        : [
            {
              streamId,
              fromSeq: row.from_seq,
              toSeq: row.to_seq,
              prevMac: row.prev_mac.toString("base64url"),
              mac: row.mac.toString("base64url"),
              keyId: row.key_id,
              body: row.body.toString("base64url"),
            },
          ],
    ),
  };
}
