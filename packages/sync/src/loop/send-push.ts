import type { PushRefusal, PushRequest } from "@codehands/contracts";
import { Draft } from "../feed/draft.ts";
import { CHAIN_START, type ChainedEvent } from "../ports/held-log.ts";
import { type HeldRecord, recordKey } from "../ports/held-record.ts";
import { applyPushReply } from "../push/apply-push-reply.ts";
import { cutRun, type PlannedLog, type PushPlan, recordBytes } from "../push/plan-push.ts";
import type { SentPush } from "../push/sent-push.ts";
import { SyncError } from "../sync-error.ts";
import { answerWithout, noteClock } from "./answer-without.ts";
import { openRows, touchedBy } from "./open-rows.ts";
import type { SyncParts } from "./sync-parts.ts";

/** Seals what a plan names, sends it and applies the answers. */
export async function sendPush(parts: SyncParts, plan: PushPlan): Promise<void> {
  const { cloud, memory } = parts;
  const records = await sealRecords(parts, plan);
  const runs = await readRuns(parts, plan, memory.push.bytes);
  const { state } = await parts.store.read({});
  const logs: PushRequest["logs"] = [];
  const blobs: Uint8Array[] = [];
  for (const run of runs) {
    const sealed = run.events.length > 0 ? await parts.sealing.sealEvents(run) : [];
    blobs.push(...sealed);
    const { streamId, kind, prevMac } = run;
    const mac = run.events.at(-1)?.mac ?? prevMac;
    const deleted = run.deleted ? { deleted: true as const } : {};
    logs.push({
      streamId,
      kind,
      writerEpoch: 1,
      from: run.from,
      prevMac,
      lens: sealed.map((one) => one.length),
      mac,
      ...deleted,
    });
  }
  if (logs.length + records.length === 0) return;
  const { gen, deviceId, epoch, cursor } = state;
  const request: PushRequest = {
    epoch,
    boot: memory.boot,
    cursor,
    since: cursor,
    logs,
    records: records.map(({ kind, id, base, item }) => ({ kind, id, base: base?.version ?? 0, body: item })),
    ...(plan.again ? { again: true } : {}),
  };
  const sent: SentPush = { gen, deviceId, logs, records };
  const reply = await cloud.push(request, joinBytes(blobs));
  if ("refused" in reply) return takeBack(parts, records, reply);
  if (!("logs" in reply)) return answerWithout(parts, reply, sent);
  await applyAnswers(parts, sent, reply);
}

/**
 * A push that was refused whole: it is made smaller, or sealed anew once the roster is known (V12). Refused a second time
 * in a row, the newer epoch is not known here: that is a failure, so that the next try waits.
 */
async function takeBack(
  { store, memory }: SyncParts,
  sent: readonly HeldRecord[],
  { refused }: PushRefusal,
): Promise<void> {
  if (refused === "TOO_LARGE") throw new SyncError("too_large", "The cloud finds this much at once too large.");
  memory.atHead = false;
  memory.rechained = new Set();
  await store.apply({ records: sent }, (view) => {
    const draft = new Draft(view);
    for (const { kind, id, mac } of sent) {
      const held = draft.record({ kind, id });
      if (held?.mac === mac && held.dirty === "edit") draft.putRecord(held, { ...held, mac: "", item: "" });
    }
    return { changes: draft.changes(), result: undefined };
  });
  const again = memory.stale;
  memory.stale = true;
  if (again)
    throw new SyncError(
      "refused",
      "The cloud asks for a newer key than this device knows. Nothing was sent and nothing is lost; it is tried again.",
    );
}

async function applyAnswers(
  parts: SyncParts,
  sent: SentPush,
  reply: Parameters<typeof applyPushReply>[2]["reply"],
): Promise<void> {
  const { store, sealing, memory } = parts;
  const opened = await openRows(sealing, { page: reply.page, rows: reply.records.map(({ row }) => row) });
  const touched = touchedBy(reply.page);
  const need = {
    records: [...sent.records, ...touched.records],
    logs: [...sent.logs.map(({ streamId }) => streamId), ...touched.logs],
    unsettled: true as const,
  };
  const result = await store.apply(need, (view) => {
    const draft = new Draft(view);
    const done = applyPushReply(draft, sent, { reply, opened });
    return { changes: draft.changes(), result: done };
  });
  memory.push.bytes = parts.limits.bytes;
  memory.stale = false;
  if (reply.page && result.page) noteClock(parts, reply.page, result.page);
  // S26: a pull comes before the next push, whatever the page said.
  if (!result.clean || result.reset) memory.atHead = false;
  if (result.reset) memory.probe.clear();
  const broken = reply.logs.findIndex(({ code }) => code === "RANGE");
  if (broken < 0) return;
  const name = sent.logs[broken]?.streamId ?? "";
  throw new SyncError("refused", `The cloud refused events of session ${name}: their seal says another place.`);
}

/** S23: a record is sealed once, in a transaction before its first send. Records that were changed meanwhile wait. */
async function sealRecords({ store, sealing }: SyncParts, plan: PushPlan): Promise<HeldRecord[]> {
  const { records, state } = await store.read({ records: plan.records });
  const sealed = new Map<string, { item: string; mac: string; rev: number }>();
  for (const record of records.values())
    if (!record.mac)
      sealed.set(recordKey(record), { ...(await sealing.sealRecord(record, state.deviceId)), rev: record.rev });
  return store.apply({ records: plan.records }, (view) => {
    const draft = new Draft(view);
    const ready = plan.records.flatMap((key) => {
      const now = draft.record(key);
      const made = sealed.get(recordKey(key));
      if (!now?.dirty || view.state.deviceId !== state.deviceId) return [];
      if (now.mac) return [now];
      if (made?.rev !== now.rev) return [];
      const next = { ...now, item: made.item, mac: made.mac, writer: state.deviceId };
      draft.putRecord(key, next);
      return [next];
    });
    return { changes: sealed.size > 0 ? draft.changes() : [], result: ready };
  });
}

interface Run extends PlannedLog {
  kind: number;
  prevMac: string;
  events: readonly ChainedEvent[];
}

async function readRuns({ store }: SyncParts, plan: PushPlan, budget: number): Promise<Run[]> {
  const view = await store.read({ records: plan.records });
  let left = budget - recordBytes(view, plan);
  const runs: Run[] = [];
  for (const log of plan.logs) {
    const { streamId, from, to } = log;
    if (left <= 0 && runs.length > 0) break;
    const read = await store.read({ logs: [streamId], events: { streamId, from: Math.max(1, from - 1), to } });
    const held = read.logs.get(streamId);
    const prevMac = from === 1 ? CHAIN_START : read.events.find((event) => event.seq === from - 1)?.mac;
    const fresh = read.events.filter((event) => event.seq >= from);
    if (!held || (!log.deleted && (prevMac === undefined || fresh.length === 0))) continue;
    const events = cutRun(fresh, left);
    left -= events.reduce((sum, event) => sum + event.line.length, 0);
    runs.push({ ...log, kind: held.kind, prevMac: log.deleted ? CHAIN_START : (prevMac ?? CHAIN_START), events });
  }
  return runs;
}

function joinBytes(chunks: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
