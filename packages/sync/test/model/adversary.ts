import { must } from "./broken.ts";
import type { Machine } from "./machine.ts";
import { handle, purge } from "./model-cloud.ts";
import { SHARED_KINDS } from "./model-cloud-push.ts";
import { LIFE } from "./model-settle.ts";
import { copyOf, linkOf } from "./rules.ts";
import type { Op, Step } from "./script.ts";
import type { HeldLog, RecordRow } from "./shapes.ts";
import type { World } from "./world.ts";

type Act = (w: World, m: Machine, n: { a: number; b: number }) => unknown;
const pick = <T>(list: readonly T[], n: number): T | undefined => list[n % (list.length || 1)];

const ownLogs = (m: Machine): HeldLog[] =>
  Object.values(m.view().logs).filter((log) => log.writer === m.view().dev && !log.dead && log.mine);
const edit = async (m: Machine, change: { kind: string; id: string; body: string; del?: boolean }): Promise<void> =>
  m.change({ do: "edit", ...change });

/** What people, machines and bad luck do. */
const ACTS: Readonly<Record<Op, Act>> = {
  go: (w, m, { a, b }) => w.go(m, a % 8 === 0 ? b % 4 : 99),
  tick: (w, m) => w.tick(m),
  deliver: (w, _, { a, b }) => w.net.length > 0 && w.deliver(a % w.net.length, b % 16 === 0 ? a % 4 : 99),
  drop: (w, _, { a }) => w.net.splice(a % (w.net.length || 1), 1),
  dup: (w, _, { a }) => {
    const message = pick(w.net, a);
    if (message?.to === "cloud") w.net.push(copyOf(message));
  },
  timeout: (_, m) => m.forget("first"),
  append: (w, m, { a }) => {
    const log = pick(ownLogs(m), a);
    if (log) return m.change({ do: "append", sid: log.sid, id: w.newId("e") });
  },
  session: (w, m) => m.change({ do: "session", sid: w.newId("S"), id: w.newId("e") }),
  pref: (w, m, { a }) => edit(m, { kind: "pref", id: `p${a % 3}`, body: w.newId("v") }),
  prefdel: (w, m, { a }) => {
    const id = `p${a % 3}`;
    if (!m.view().recs[`pref:${id}`]) return;
    w.oracle.deleted.add(`pref:${id}`);
    return edit(m, { kind: "pref", id, body: w.newId("x"), del: true });
  },
  rec: (w, m, { a }) => {
    const log = pick(ownLogs(m), a);
    if (log) return edit(m, { kind: "session", id: log.sid, body: w.newId("status") });
  },
  command: (w, m, { a, b }) => {
    const log = pick(
      Object.values(m.view().logs).filter((one) => !one.dead),
      a,
    );
    if (!log) return;
    const target = b % 8 ? log.writer : (pick(w.machines, b)?.view().dev ?? log.writer);
    return edit(m, { kind: "command", id: w.newId("C"), body: JSON.stringify({ target, sid: log.sid }) });
  },
  withdraw: (_, m, { a }) => {
    const { recs, dev } = m.view();
    const sent = pick(
      Object.values(recs).filter((rec) => rec.kind === "command" && rec.writer === dev && !rec.del),
      a,
    );
    if (sent) return edit(m, { kind: "command", id: sent.id, body: sent.body, del: true });
  },
  forge,
  del: (w, m, { a }) => {
    const log = pick(ownLogs(m), a);
    if (!log) return;
    w.oracle.goneSid.add(log.sid);
    w.oracle.deleted.add(`session:${log.sid}`);
    return m.change({ do: "delete", sid: log.sid });
  },
  follow: (w, m, { a }) => {
    const row = pick(
      Object.values(w.cloud.logs).filter((one) => !one.del && !m.view().logs[one.sid]?.followed),
      a,
    );
    if (row) return m.change({ do: "follow", sid: row.sid, writer: row.writer });
  },
  unfollow: (_, m, { a }) => {
    const { logs, dev } = m.view();
    const log = pick(
      Object.values(logs).filter((one) => one.followed && one.writer !== dev),
      a,
    );
    if (log) return m.change({ do: "unfollow", sid: log.sid });
  },
  rechain: (w, m) => m.change({ do: "rechain", key: w.newKey() }),
  compact: (w, m, { a, b }) => {
    const log = pick(
      ownLogs(m).filter((one) => one.pushed > 1),
      a,
    );
    const segs = log ? (w.cloud.segs[log.sid] ?? []) : [];
    const at = b % (segs.length || 1);
    const first = segs[at];
    const last = segs[Math.min(segs.length - 1, at + 2)];
    if (log && first && last) m.compact({ sid: log.sid, from: first.from, to: last.to });
  },
  crash: (_, m) => m.crash(),
  start: (_, m) => m.start(),
  backup: (w, m) => w.saved.set(m, m.save()),
  restore: (w, m) => {
    const saved = w.saved.get(m);
    if (saved === undefined || m.view().revoked) return;
    m.load(saved);
    w.faults.local++;
    m.start();
  },
  clone: (w, m) => {
    if (w.machines.length >= 5 || m.view().revoked) return;
    w.faults.clone++;
    const twin = w.addMachine();
    twin.load(m.save());
    twin.start();
  },
  resolve: (w, m) => m.view().copy && m.change({ do: "new-device", dev: w.newId("D") }),
  adopt: (_, m) => m.view().copy && m.change({ do: "adopt" }),
  revoke: (w, m) => {
    const device = w.cloud.devs[m.view().dev];
    if (w.living().length > 2 && device) device.revoked = true;
  },
  purge: (w, _, { a }) => {
    const before = copyOf(w.cloud);
    purge(w.cloud, w.cloud.head - (a % 6), w.rules);
    w.oracle.cloudMoved(before);
  },
  expire: (w) => (w.cloud.now += LIFE + 1),
  cbackup: (w) => w.backups.push(copyOf(w.cloud)),
  crestore: (w, _, { a }) => {
    const backup = pick(w.backups, a);
    if (backup) w.restoreCloud(backup, { silent: false });
  },
  crestoreSilent: (w, _, { a }) => {
    const backup = pick(w.backups, a);
    if (backup) w.restoreCloud(backup, { silent: true });
  },
  offline: (_, m, { a }) => (m.off = a % 40),
};

/** A paired device with a faulty program: it goes on with a log of another and writes another's record. */
function forge(w: World, m: Machine, { a }: { a: number }): void {
  const { dev } = m.view();
  const device = w.cloud.devs[dev];
  if (!device || device.revoked) return;
  const log = pick(
    Object.values(w.cloud.logs).filter((row) => row.writer !== dev && !row.del),
    a,
  );
  const rec = pick(
    Object.values(w.cloud.recs).filter((row) => row.writer !== dev && !SHARED_KINDS.has(row.kind)),
    a,
  );
  const id = w.newId("forged");
  const from = log ? log.last + 1 : 1;
  const logs = log
    ? [{ sid: log.sid, from, prev: log.mac, events: [id], mac: linkOf(log.mac, from, id), del: false }]
    : [];
  const recs = rec ? [{ ...forged(rec), mac: id, writer: dev }] : [];
  const { epoch, head } = w.cloud;
  const common = { dev, boot: device.boot, gen: 0, epoch, cursor: head, since: head, limit: 1 };
  const reply = handle(w.cloud, { t: "push", ...common, logs, recs }, w.rules);
  const accepted = [...(reply.logs ?? []), ...(reply.recs ?? [])].some((one) => one.code === "OK");
  must(!accepted, `FORGED: ${dev} wrote what is another's to write`);
}

function forged(rec: RecordRow): RecordRow & { base: number } {
  return { ...rec, rev: rec.rev + 1, body: "forged", base: rec.ver };
}

/** One step of a script. */
export async function act(w: World, [op, a, b, c]: Step): Promise<void> {
  const machine = w.machines[c % w.machines.length];
  if (!machine) return;
  w.log(`${op} @${machine.uid} (${machine.view().dev})`);
  await ACTS[op](w, machine, { a, b });
}
