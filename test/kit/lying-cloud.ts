import type { PullPage, RecordRow } from "@codehands/contracts";
import { logDigest, recordDigest, xorSums } from "@codehands/sync";
import type { FaultyFetch } from "./faulty-fetch.ts";

type Row = PullPage["rows"][number];

/**
 * A cloud that lies in its pages, and keeps its sums right, so that only seals and signatures can tell. `change` gives the
 * row that is told in the place of a true one; null keeps it back.
 */
export function lieInPages(net: FaultyFetch, change: (row: Row) => Row | null): void {
  let shift = "0000000000000000";
  const told = (page: PullPage): PullPage => {
    if (page.from === 0) shift = "0000000000000000";
    const rows = page.rows.flatMap((row) => {
      const next = change(row);
      if (next === row) return [row];
      shift = xorSums(shift, xorSums(digestOf(row), next ? digestOf(next) : "0000000000000000"));
      return next ? [next] : [];
    });
    return { ...page, rows, ...(page.sum === undefined ? {} : { sum: xorSums(page.sum, shift) }) };
  };
  net.lie("sync.pull", (reply: PullPage | object) => ("rows" in reply ? told(reply) : reply));
  net.lie("sync.push", (reply: { page?: PullPage }) => (reply.page ? { ...reply, page: told(reply.page) } : reply));
}

const digestOf = (row: Row): string => (row.row === "record" ? recordDigest(row) : logDigest(row));

/** A row whose sealed bytes were altered in one place. */
export function altered<R extends Pick<RecordRow, "body">>(row: R, at = 100): R {
  const other = row.body[at] === "A" ? "B" : "A";
  return { ...row, body: row.body.slice(0, at) + other + row.body.slice(at + 1) };
}
