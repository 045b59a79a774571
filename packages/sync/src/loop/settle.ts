import { RECORD_KINDS } from "@codehands/contracts";
import { Draft } from "../feed/draft.ts";
import { appendChained } from "../logs/append-events.ts";
import { forkId } from "../logs/fork-id.ts";
import { droppedLog, forkLog } from "../logs/fork-log.ts";
import { lastSent, rechainUnsent } from "../logs/rechain-unsent.ts";
import { CHAIN_START, type ChainedEvent, type HeldLog, type WaitingEvent } from "../ports/held-log.ts";
import type { CommandView, LogView, View } from "../ports/store.ts";
import { editRecord } from "../records/edit-record.ts";
import type { Settlement } from "./plan-next.ts";
import type { SyncParts } from "./sync-parts.ts";

/** Carries out one local decision in one transaction, which checks again what the decision stood on (S34). */
export async function settle(parts: SyncParts, settlement: Settlement): Promise<void> {
  if (settlement.do === "outcome") return settleOutcome(parts, settlement);
  if (settlement.do === "rechain") return settleRechain(parts, settlement.log);
  const { log, judgement } = settlement;
  if (judgement.do === "fork") return settleFork(parts, log, judgement);
  if (judgement.do === "join") return settleJoin(parts, log);
  const need = { logs: [log.streamId] };
  await parts.store.apply(need, (view) => {
    const draft = new Draft(view);
    const now = draft.log(log.streamId);
    if (!now?.row || now.row.version !== log.row?.version || !sameLog(view, log)) return keep(draft);
    if (judgement.do === "drop") {
      draft.write({ op: "cut", streamId: log.streamId, after: 0, to: "nowhere" });
      draft.write({ op: "unwait", streamId: log.streamId, ids: "all" });
      draft.putLog(droppedLog(now));
      return keep(draft);
    }
    const pushedSeq = now.row.lastSeq;
    draft.putLog({ ...now, pushedSeq, finalSeq: Math.max(now.finalSeq, pushedSeq) });
    return keep(draft);
  });
}

const keep = (draft: Draft): { changes: ReturnType<Draft["changes"]>; result: undefined } => ({
  changes: draft.changes(),
  result: undefined,
});

/** Nothing was appended, cut or let wait since the decision. */
function sameLog(view: View, log: LogView): boolean {
  const now = view.logs.get(log.streamId);
  const same = now?.lastSeq === log.lastSeq && now.tailMac === log.tailMac && now.waiting === log.waiting;
  return same && now.generation === log.generation && now.dead === log.dead;
}

async function settleFork(
  { store, sealing }: SyncParts,
  log: LogView,
  { at, drop }: { at: number; drop: boolean },
): Promise<void> {
  const { streamId } = log;
  const read = await store.read({ logs: [streamId], events: { streamId, from: Math.max(1, at), to: log.lastSeq } });
  const tail: WaitingEvent[] = [...read.events.filter((event) => event.seq > at), ...read.waiting];
  const atMac = read.events.find((event) => event.seq === at)?.mac ?? CHAIN_START;
  const { deviceId, gen } = read.state;
  let id = await forkId({ streamId, deviceId, at, firstEventId: tail[0]?.id ?? "" });
  while ((await store.read({ logs: [id] })).logs.has(id))
    id = await forkId({ streamId: id, deviceId, at, firstEventId: tail[0]?.id ?? "" });
  const macs = await sealing.chain({ streamId: id, prevMac: CHAIN_START, from: 1, events: tail });
  const events = chained(tail, macs, 1);
  const records = [id, streamId].map((session) => ({ kind: RECORD_KINDS.session, id: session }));
  await store.apply({ logs: [streamId, id], records }, (view) => {
    const draft = new Draft(view);
    const now = draft.log(streamId);
    const { state } = draft;
    if (!now?.mine || state.gen !== gen || state.deviceId !== deviceId || !sameLog(view, log)) return keep(draft);
    forkLog(draft, { log: now, at, atMac, drop, streamId: id, events });
    return keep(draft);
  });
}

async function settleJoin({ store, sealing }: SyncParts, log: LogView): Promise<void> {
  const { streamId, lastSeq, tailMac } = log;
  const { waiting } = await store.read({ logs: [streamId], events: { streamId, from: 1, to: 0 } });
  const macs = await sealing.chain({ streamId, prevMac: tailMac, from: lastSeq + 1, events: waiting });
  const events = chained(waiting, macs, lastSeq + 1);
  await store.apply({ logs: [streamId] }, (view) => {
    const draft = new Draft(view);
    const now = draft.log(streamId);
    if (!now || !sameLog(view, log) || now.waiting !== events.length) return keep(draft);
    joinWaiting(draft, now, events);
    return keep(draft);
  });
}

function joinWaiting(draft: Draft, log: HeldLog, events: readonly ChainedEvent[]): void {
  draft.write({ op: "unwait", streamId: log.streamId, ids: "all" });
  appendChained(draft, { ...log, waiting: 0 }, events);
}

/** V12: cut and join in ONE transaction, so that no reader here ever sees the log shorter. */
async function settleRechain({ store, sealing, memory }: SyncParts, log: LogView): Promise<void> {
  const { streamId, lastSeq } = log;
  const at = lastSent(log);
  const read = await store.read({ logs: [streamId], events: { streamId, from: Math.max(1, at), to: lastSeq } });
  const tail = read.events.filter((event) => event.seq > at);
  const prevMac = read.events.find((event) => event.seq === at)?.mac ?? CHAIN_START;
  const macs = await sealing.chain({ streamId, prevMac, from: at + 1, events: tail });
  const events = chained(tail, macs, at + 1);
  const done = await store.apply({ logs: [streamId], events: { streamId, from: at, to: at } }, (view) => {
    const draft = new Draft(view);
    // Not the same any more: it is looked at again.
    if (!sameLog(view, log) || log.waiting > 0) return { changes: [], result: false };
    const cut = rechainUnsent(draft, streamId) ? draft.log(streamId) : null;
    if (cut?.waiting === events.length) joinWaiting(draft, cut, events);
    return { changes: cut ? draft.changes() : [], result: true };
  });
  if (done) memory.rechained?.add(streamId);
}

function chained(events: readonly WaitingEvent[], macs: readonly string[], from: number): ChainedEvent[] {
  return events.map(({ id, line }, i) => ({ seq: from + i, id, line, mac: macs[i] ?? "" }));
}

async function settleOutcome(
  { store, memory }: SyncParts,
  { command, decision }: Extract<Settlement, { do: "outcome" }>,
): Promise<void> {
  const { id } = command.command;
  const key = { kind: RECORD_KINDS.outcome, id };
  const commandKey = { kind: RECORD_KINDS.command, id };
  await store.apply({ records: [key, commandKey], commands: true }, (view) => {
    const draft = new Draft(view);
    const now = view.commands.find((one) => one.command.id === id);
    if (!now || !sameCommand(now, command)) return keep(draft);
    if (decision.do === "accept") {
      draft.write({ op: "accept", command: now.command });
      return keep(draft);
    }
    const body = decision.do === "write" ? outcomeBody(decision.state, memory.boot) : decision.body;
    draft.putRecord(key, editRecord(draft.record(key), { ...key, body }, draft.state.deviceId));
    return keep(draft);
  });
}

function sameCommand(now: CommandView, then: CommandView): boolean {
  const same = now.command.rev === then.command.rev && now.outcome?.rev === then.outcome?.rev;
  return same && now.outcome?.dirty === then.outcome?.dirty && now.applied === then.applied;
}

/** The JSON of an outcome that sync itself writes. */
export function outcomeBody(state: "claimed" | "expired" | "in_doubt" | "refused", boot: string): string {
  const reason =
    state === "refused"
      ? "The command was withdrawn before it began."
      : state === "expired"
        ? "The device was away for more than 24 hours. Nothing was done; send the command again."
        : state === "in_doubt"
          ? "The device stopped while it took the command on: it may or may not have run. Look at the session."
          : null;
  const code = state === "expired" ? "expired" : null;
  return JSON.stringify({ state, boot, code, reason, result: null });
}
