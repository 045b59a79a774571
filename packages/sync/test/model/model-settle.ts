import { forkTail } from "./model-logs.ts";
import { isPrefix } from "./model-plan.ts";
import type { Transaction } from "./model-reply.ts";
import { appendEvent, appendLocal, editRecord, isFetched, type ModelProcess, type ModelStore } from "./model-store.ts";
import type { Rules } from "./rules.ts";
import type { HeldLog, HeldRecord } from "./shapes.ts";

/** How long a command may wait, in the cloud's time. */
export const LIFE = 24;
const RANK: Readonly<Record<string, number>> = { claimed: 1, expired: 2, refused: 3, in_doubt: 3, done: 4 };

interface Body {
  target: string;
  sid: string;
}
interface Outcome {
  state: string;
  by: string;
}

/** One local decision that needs no message, or null. Runs only at head, so it judges by the newest rows. */
export function settle(
  st: ModelStore,
  { vol, rules, ran }: { vol: ModelProcess; rules: Rules; ran: (command: string) => void },
): Transaction | null {
  if (st.revoked || st.copy || !vol.hello || !vol.atHead || st.reset) return null;
  for (const log of Object.values(st.logs)) {
    const next = settleLog(st, log, rules);
    if (next) return next;
  }
  for (const log of vol.rechain ? Object.values(st.logs) : []) {
    const next = rechain(st, log, rules);
    if (next) return next;
  }
  vol.rechain = false;
  for (const rec of Object.values(st.recs)) {
    const next = rec.kind === "command" ? settleCommand(st, rec, { vol, rules, ran }) : null;
    if (next) return next;
  }
  return null;
}

/** Table T3 without the lines that need segments. */
function settleLog(st: ModelStore, log: HeldLog, rules: Rules): Transaction | null {
  const own = log.writer === st.dev;
  if (log.dead) return null;
  if (!log.row) {
    if (own) return log.side.length > 0 ? () => joinWaiting(st, log) : null;
    if (!log.mine) return null;
    return rules.forkNew
      ? () => forkTail(st, { log, at: 0 }, rules)
      : () => void ((log.writer = st.dev), (log.pushed = 0));
  }
  if (log.row.del) return () => dropLog(st, log, rules);
  if (!isPrefix(log) || !isFetched(st, log)) return null;
  const { last } = log.row;
  if (own && log.side.length > 0) return () => joinWaiting(st, log);
  if (!own && log.mine && (log.events.length > last || log.side.length > 0))
    return () => forkTail(st, { log, at: last }, rules);
  const behind = own && rules.ackCas ? log.pushed !== last : log.pushed < last;
  return behind ? () => void ((log.pushed = last), (log.final = Math.max(log.final, last))) : null;
}

function dropLog(st: ModelStore, log: HeldLog, rules: Rules): void {
  if (log.mine && (log.events.length > log.pushed || log.side.length > 0)) forkTail(st, { log, at: log.pushed }, rules);
  Object.assign(log, { dead: true, events: [], side: [], pushed: 0, final: 0 });
}

function joinWaiting(st: ModelStore, log: HeldLog): void {
  for (const id of log.side) if (!log.events.some((event) => event.id === id)) appendEvent(log, id, st.key);
  log.side = [];
}

/** V12: what was never acknowledged gets chain values of the new key, on common ground only. */
function rechain(st: ModelStore, log: HeldLog, rules: Rules): Transaction | null {
  if (log.writer !== st.dev || log.dead || (log.row && !isPrefix(log))) return null;
  const at = Math.max(log.pushed, rules.rechainFinal ? log.final : 0, log.row?.last ?? 0);
  const tail = log.events.slice(at);
  if (!tail.some((event) => event.key !== st.key)) return null;
  return () => {
    log.events.length = at;
    for (const { id } of tail) appendEvent(log, id, st.key);
  };
}

/** Table T5: a command for this device. */
function settleCommand(
  st: ModelStore,
  command: HeldRecord,
  { vol, rules, ran }: { vol: ModelProcess; rules: Rules; ran: (command: string) => void },
): Transaction | null {
  const { id } = command;
  const body = JSON.parse(command.body) as Body;
  if (body.target !== st.dev) return null;
  const held = st.recs[`outcome:${id}`];
  const outcome = held ? (JSON.parse(held.body) as Outcome) : null;
  const write = (state: string, by: string = vol.boot): void =>
    editRecord(st, { kind: "outcome", id, body: JSON.stringify({ state, by }) });
  const execute = (): void => {
    const log = st.logs[body.sid];
    const ok = log !== undefined && log.writer === st.dev && !log.dead && !command.del;
    st.applied[id] = ok ? "done" : "refused";
    if (ok) {
      ran(id);
      appendLocal(log, `c:${id}:${st.dev}`, st.key);
    }
    write(st.applied[id] ?? "");
  };
  const applied = st.applied[id];
  if (applied) {
    const lower = !outcome || ((RANK[outcome.state] ?? 0) < 4 && outcome.state !== applied);
    return lower ? () => write(applied) : null;
  }
  if (!held || !outcome) {
    if (command.del) return null;
    if (command.base && vol.now - command.base.at > LIFE) return () => write("expired");
    return rules.claimFirst ? () => write("claimed", rules.claimBoot ? vol.boot : "") : execute;
  }
  if (held.writer !== st.dev || outcome.state !== "claimed") return null;
  if (outcome.by !== vol.boot && rules.claimBoot) {
    if (held.dirty === "edit" && !held.base) return () => write("claimed");
    return () => write("in_doubt");
  }
  const passed = held.base !== null && (!rules.claimPassed || held.base.ver <= st.cursor);
  return !held.dirty && passed ? execute : null;
}
