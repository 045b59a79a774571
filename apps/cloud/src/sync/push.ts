import type { PushAnswer, PushBatch } from "@codehands/api/cloud";
import type { LogRow, PullPage, PushCode, RecordRow } from "@codehands/contracts";
import type { Sql } from "postgres";
import { type PushPlan, planPush } from "./plan-push.ts";
import { pull } from "./pull.ts";
import { pushParameters } from "./push-parameters.ts";
import { type DatabaseRow, toLogRow, toRecordRow } from "./sync-rows.ts";

export interface PushContext {
  sql: Sql;
  accountId: string;
  deviceId: string;
  /** Called after the commit with the account's new head, when the push moved it. */
  committed(head: number): void;
}

interface PushedRow extends DatabaseRow {
  what: "push" | "record" | "log";
  code: PushCode | "DONE" | "RESET" | "BOOT" | "STALE_EPOCH";
}

/** How many rows the page of an answer holds. */
const PAGE_ROWS = 500;
/** What `push_batch` raises when the account changed under it, after it had begun to write. */
const RAISED: Readonly<Record<string, PushedRow["code"]>> = { CH001: "RESET", CH002: "BOOT", CH003: "STALE_EPOCH" };

/** Stores a push: one statement, all or nothing but for single items that are refused (T1, T1b, T1d). */
export async function push(context: PushContext, batch: PushBatch): Promise<PushAnswer> {
  const { sql, accountId, deviceId } = context;
  const planned = planPush(deviceId, batch);
  if (!planned.ok) return { refused: "TOO_LARGE", rosterSeq: await rosterSeqOf(sql, accountId) };
  const { plan } = planned;
  const rows = await store(context, batch, plan);
  const whole = rows.find((row) => row.what === "push");
  if (whole === undefined || whole.code !== "DONE") return refusal(context, whole?.code ?? "RESET");
  const given = whole.rev ?? 0;
  if (given > 0) context.committed(whole.version);
  const page = ownPage(batch, whole, rows) ?? (await pageFor(context, batch));
  const logs = pair(plan.logs, rows, "log");
  const records = pair(plan.records, rows, "record");
  return {
    logs: batch.logs.map((_, index) => answer(logs.get(index), plan.refused.logs.get(index), toLogRow)),
    records: batch.records.map(({ body }, index) =>
      // The database does not send back what has just come.
      answer(records.get(index), plan.refused.records.get(index), (row) =>
        row.code === "OK" ? { ...toRecordRow(row), body } : toRecordRow(row),
      ),
    ),
    ...(page === null ? {} : { page }),
  };
}

async function store(context: PushContext, batch: PushBatch, plan: PushPlan): Promise<PushedRow[]> {
  const { accountId, deviceId, sql } = context;
  const given = { accountId, deviceId, epoch: batch.epoch, boot: batch.boot };
  try {
    return await pushParameters(sql, given, plan);
  } catch (error) {
    const code = RAISED[String((error as { code?: unknown }).code)];
    if (code === undefined) throw error;
    return [{ what: "push", code } as PushedRow];
  }
}

async function refusal(context: PushContext, code: PushedRow["code"]): Promise<PushAnswer> {
  if (code === "BOOT") return { reset: "boot" };
  const [account] = await context.sql<{ epoch: string; roster_seq: number }[]>`
    select epoch, roster_seq from accounts where id = ${context.accountId}`;
  if (code === "STALE_EPOCH") return { refused: "STALE_EPOCH", rosterSeq: account?.roster_seq ?? -1 };
  return account === undefined ? { reset: "boot" } : { reset: "lineage", epoch: account.epoch };
}

/** The page of the answer is a page like any other (S8); none when a pull would be told to reset. */
async function pageFor({ sql, accountId }: PushContext, batch: PushBatch): Promise<PullPage | null> {
  const { epoch, cursor, since } = batch;
  const reply = await pull(sql, accountId, { epoch, cursor, since, top: cursor, limit: PAGE_ROWS });
  return reply === null || "reset" in reply ? null : reply;
}

/**
 * The page without asking again, where the device had seen everything but what it just pushed: then its own rows, as they
 * lay under the account's lock, are the page. Null otherwise.
 */
function ownPage(batch: PushBatch, whole: PushedRow, rows: readonly PushedRow[]): PullPage | null {
  const given = whole.rev ?? 0;
  const purgedTo = whole.key_id ?? 0;
  const sawAll = batch.cursor === whole.version - given && (batch.since === null || batch.since >= purgedTo);
  if (!sawAll || given > PAGE_ROWS) return null;
  const bodies = new Map(batch.records.map((record) => [`${record.kind}:${record.id.toLowerCase()}`, record.body]));
  const own = rows
    .filter((row) => row.what !== "push" && row.code === "OK" && row.version > batch.cursor)
    .sort((a, b) => a.version - b.version);
  return {
    from: batch.cursor,
    rows: own.map((row) =>
      row.what === "log"
        ? { row: "log", ...toLogRow(row) }
        : { row: "record", ...toRecordRow(row), body: bodies.get(`${row.kind}:${row.id}`) ?? "" },
    ),
    next: own.at(-1)?.version ?? batch.cursor,
    more: false,
    head: whole.version,
    sum: whole.mac.toString("hex"),
    now: (whole.received_at ?? new Date(0)).toISOString(),
    rosterSeq: whole.last_seq ?? -1,
  };
}

async function rosterSeqOf(sql: Sql, accountId: string): Promise<number> {
  const [account] = await sql<{ roster_seq: number }[]>`select roster_seq from accounts where id = ${accountId}`;
  return account?.roster_seq ?? -1;
}

/** The answers of one kind by their place in the request. */
function pair(planned: readonly { index: number }[], rows: readonly PushedRow[], what: "log" | "record") {
  const found = rows.filter((row) => row.what === what);
  return new Map(planned.map(({ index }, place) => [index, found[place]]));
}

/** `refused` stands where the item never got to the database. */
function answer<Row extends LogRow | RecordRow>(
  row: PushedRow | undefined,
  refused: PushCode | undefined,
  shape: (row: PushedRow) => Row,
): { code: PushCode; row: Row | null } {
  if (row === undefined) return { code: refused ?? "RANGE", row: null };
  return { code: row.code as PushCode, row: row.id === null ? null : shape(row) };
}
