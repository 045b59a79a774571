import type { PullReply } from "@codehands/api/cloud";
import type { PullPage, PullRequest } from "@codehands/contracts";
import { answerPull } from "@codehands/sync/answers";
import type { Sql } from "postgres";
import { type DatabaseRow, toLogRow, toRecordRow } from "./sync-rows.ts";

/** A page holds at most this many sealed bytes, but always one row. */
const PAGE_BYTES = 4 * 1024 * 1024;

/** Where the account stands, as of the moment that the rows are of. */
interface AccountFacts {
  epoch: string;
  head: number;
  purgedTo: number;
  sum: string;
  rosterSeq: number;
  now: string;
}

interface FeedRow extends DatabaseRow {
  /** In the first row alone: a thousand copies cost more than the rows themselves. */
  account: AccountFacts | null;
  /** Null when there is no row after the cursor. */
  what: "record" | "log" | null;
  /** False for the one row behind the page, which says that there is more. */
  fits: boolean;
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
      select *, row_number() over w as place, coalesce(sum(octet_length(body)) over w, 0) as bytes
      from feed window w as (order by version rows unbounded preceding)
    )
    select case when coalesce(place, 1) = 1 then json_build_object('epoch', accounts.epoch, 'head', accounts.head,
        'purgedTo', accounts.purged_to, 'sum', to_hex(accounts.sum), 'rosterSeq', accounts.roster_seq,
        'now', clock_timestamp()) end as account,
      what, kind, placed.id, version, mac, deleted, writer, rev, key_id, body, received_at, writer_epoch, last_seq,
      place = 1 or (place <= ${limit} and bytes <= ${PAGE_BYTES}) as fits
    from accounts left join placed
      on place <= 2 or (place <= ${limit + 1} and bytes - coalesce(octet_length(body), 0) <= ${PAGE_BYTES})
    where accounts.id = ${accountId}
    order by version`;
  const account = rows[0]?.account;
  if (!account) return null;
  const { epoch, head, purgedTo } = account;
  const reset = answerPull({ epoch, head, purgedTo }, { ...request, epoch: request.epoch.toLowerCase() });
  return reset ?? toPage(cursor, account, rows);
}

function toPage(cursor: number, account: AccountFacts, rows: readonly FeedRow[]): PullPage {
  const found = rows.filter((row) => row.what !== null);
  const page = found.filter(({ fits }) => fits);
  const more = found.length > page.length;
  return {
    from: cursor,
    rows: page.map((row) =>
      row.what === "record" ? { row: "record", ...toRecordRow(row) } : { row: "log", ...toLogRow(row) },
    ),
    next: page.at(-1)?.version ?? cursor,
    more,
    head: account.head,
    ...(more ? {} : { sum: account.sum.padStart(16, "0") }),
    now: new Date(account.now).toISOString(),
    rosterSeq: account.rosterSeq,
  };
}
