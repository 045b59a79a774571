import type { PullReply } from "@codehands/api/cloud";
import type { PullPage, PullRequest } from "@codehands/contracts";
import { answerPull } from "@codehands/sync/answers";
import type { Sql } from "postgres";
import { type DatabaseRow, toLogRow, toRecordRow } from "./sync-rows.ts";

/** A page holds at most this many sealed bytes, but always one row. */
const PAGE_BYTES = 4 * 1024 * 1024;

interface FeedRow extends DatabaseRow {
  epoch: string;
  head: number;
  purged_to: number;
  sum: string;
  roster_seq: number;
  now: Date;
  /** Null when the page has no row. */
  what: "record" | "log" | null;
  more: boolean;
}

/** One page of the feed. Records and logs come from one statement, so from one moment (S7). Null: no such account. */
export async function pull(sql: Sql, accountId: string, request: PullRequest): Promise<PullReply | null> {
  const { cursor, limit } = request;
  const rows = await sql<FeedRow[]>`
    with feed as (
      (select 'record' as what, kind, id, version, mac, deleted, writer, rev, key_id, body, received_at,
          null::bigint as writer_epoch, null::bigint as last_seq
        from records where account_id = ${accountId} and version > ${cursor} order by version limit ${limit + 1})
      union all
      (select 'log', kind, stream_id, version, tail_mac, deleted, writer_device, null, null, null, null,
          writer_epoch, last_seq
        from logs where account_id = ${accountId} and version > ${cursor} order by version limit ${limit + 1})
    ),
    placed as (
      select *, row_number() over w as place, count(*) over () as found,
        coalesce(sum(octet_length(body)) over w, 0) as bytes
      from feed window w as (order by version)
    ),
    page as (select * from placed where place = 1 or (place <= ${limit} and bytes <= ${PAGE_BYTES}))
    select accounts.epoch, accounts.head, accounts.purged_to, to_hex(accounts.sum) as sum, accounts.roster_seq,
      clock_timestamp() as now, page.*, coalesce(page.found > (select count(*) from page), false) as more
    from accounts left join page on true
    where accounts.id = ${accountId}
    order by page.version`;
  const [first] = rows;
  if (first === undefined) return null;
  const { epoch, head, purged_to: purgedTo } = first;
  const reset = answerPull({ epoch, head, purgedTo }, { ...request, epoch: request.epoch.toLowerCase() });
  return reset ?? toPage(cursor, first, rows);
}

function toPage(cursor: number, first: FeedRow, rows: readonly FeedRow[]): PullPage {
  const found = rows.filter((row) => row.what !== null);
  return {
    from: cursor,
    rows: found.map((row) =>
      row.what === "record" ? { row: "record", ...toRecordRow(row) } : { row: "log", ...toLogRow(row) },
    ),
    next: found.at(-1)?.version ?? cursor,
    more: first.more,
    head: first.head,
    ...(first.more ? {} : { sum: first.sum.padStart(16, "0") }),
    now: first.now.toISOString(),
    rosterSeq: first.roster_seq,
  };
}
