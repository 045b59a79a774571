import type { Sql } from "postgres";
import type { PushPlan } from "./plan-push.ts";
import type { PlannedSegments } from "./plan-push-log.ts";
import type { DatabaseRow } from "./sync-rows.ts";

interface Given {
  accountId: string;
  deviceId: string;
  epoch: string;
  boot: string;
}

/** Numbers, booleans and UUIDs need no quotes inside PostgreSQL's array text, and one text is quicker than many values. */
const list = (values: readonly (string | number | boolean)[]): string => `{${values.join(",")}}`;

/** Sends a plan as one call of `push_batch`: one packed blob and arrays, whatever the number of items. */
export async function pushParameters<Row extends DatabaseRow>(sql: Sql, given: Given, plan: PushPlan): Promise<Row[]> {
  const logs = plan.logs.map(({ log }) => log);
  const records = plan.records.map(({ record }) => record);
  const blobs = [...logs.map((log) => log.blob), ...records.map((record) => record.body)];
  // Most pushes are one log's, whose bytes lie together as they came.
  const blob = blobs.length === 1 ? blobs[0] : Buffer.concat(blobs);
  const column = (name: keyof PlannedSegments): number[] => logs.flatMap((log) => log.segments[name]);
  const lengths = column("length");
  // Counted from 1, as PostgreSQL does.
  const starts = startsOf(lengths);
  return sql<Row[]>`
    select what, code, o_kind as kind, o_id as id, o_version as version, o_rev as rev, o_mac as mac, o_key_id as key_id,
      o_body as body, o_deleted as deleted, o_writer as writer, o_received_at as received_at,
      o_writer_epoch as writer_epoch, o_last_seq as last_seq
    from push_batch(
      ${given.accountId}, ${given.deviceId}, ${given.epoch}, ${given.boot}, ${plan.keyEpoch}, ${blob ?? Buffer.alloc(0)},
      ${list(logs.map((log) => log.streamId))}, ${list(logs.map((log) => log.kind))},
      ${list(logs.map((log) => log.writerEpoch))}, ${list(logs.map((log) => log.from))},
      ${list(logs.map((log) => log.to))}, ${list(logs.map((log) => log.deleted))},
      ${Buffer.concat(logs.flatMap((log) => [log.prevMac, log.mac]))},
      ${list(logs.flatMap((log, place) => log.segments.from.map(() => place + 1)))}, ${list(column("from"))},
      ${list(column("to"))}, ${list(column("keyEpoch"))}, ${list(starts.each)}, ${list(lengths)}, ${starts.next},
      ${list(records.map((record) => record.kind))}, ${list(records.map((record) => record.id))},
      ${list(records.map((record) => record.base))}, ${list(records.map((record) => record.rev))},
      ${list(records.map((record) => record.keyEpoch))}, ${list(records.map((record) => record.deleted))},
      ${list(records.map((record) => record.writer))}, ${list(records.map((record) => record.shared))},
      ${list(records.map((record) => record.body.length))}, ${Buffer.concat(records.map((record) => record.mac))})`;
}

/** Where each item begins when they lie one after the other, and where the next one would. */
function startsOf(lengths: readonly number[]): { each: number[]; next: number } {
  let next = 1;
  const each = lengths.map((length) => {
    next += length;
    return next - length;
  });
  return { each, next };
}
