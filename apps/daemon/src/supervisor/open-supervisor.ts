import { setImmediate as nextTurn } from "node:timers/promises";
import type { SessionsPort } from "@codehands/api";
import type { Diff } from "@codehands/contracts";
import { commandStateOf } from "../commands/answer-command.ts";
import type { CommandRow } from "../commands/command-rows.ts";
import { inTransaction } from "../database/transaction.ts";
import { checkWorktrees } from "../reconcile/check-worktrees.ts";
import { listOrphans } from "../reconcile/list-orphans.ts";
import { reconcile } from "../reconcile/reconcile.ts";
import { purgeRaw, sessionsWithRaw } from "../sessions/event-log.ts";
import { LEFT_TO_OTHER } from "../sessions/left-to-other.ts";
import type { SessionBus } from "../sessions/session-bus.ts";
import { createSessionsPort } from "../sessions/sessions-port.ts";
import { sweepTrash } from "../trash/sweep-trash.ts";
import { carryOut, finishClaimed, obey } from "./carry-out.ts";
import { pump } from "./pump.ts";
import { readDiff } from "./read-diff.ts";
import { sentenceOf } from "./read-fault.ts";
import { refuseOtherHome } from "./refuse-other-home.ts";
import { startSession } from "./start-session.ts";
import { createSupervision } from "./supervision.ts";
import type { SupervisorDeps } from "./supervisor-deps.ts";

const CHECK_MS = 2_000;
const HOUSEKEEPING_MS = 3_600_000;
const RAW_DAYS = 30;
const DAY_MS = 86_400_000;

export interface Supervisor {
  sessions: SessionsPort;
  /** Tells of every commit that touches a session. */
  bus: SessionBus;
  /** What a session changed, read afresh; null when nothing of it is left. */
  diff(sessionId: string): Promise<Diff | null>;
  /** Acts on a command of another device that was stored as claimed; resolves with its row once it has ended or waits. */
  obey(row: CommandRow): Promise<CommandRow>;
  /** Runs of agents that this process reads. */
  reading(): number;
  /** Puts in order what an earlier start left, then lets the queue run. */
  start(): Promise<void>;
  counts(): { running: number; queued: number; waiting: number };
  /** Worktree folders that belong to no session of this home. */
  orphans(): Promise<string[]>;
  /**
   * Takes no more work, waits for what is being written and stops reading. Agents go on: the next start adopts
   * them. Afterwards the database may be closed.
   */
  drain(): Promise<void>;
}

/** Opens the part of the daemon that runs sessions. Nothing moves before `start`. */
export function openSupervisor(deps: SupervisorDeps): Supervisor {
  const s = createSupervision(deps);
  const { store, log } = deps;
  const timers: NodeJS.Timeout[] = [];
  const every = (ms: number, work: () => Promise<void>) => {
    let busy = false;
    const timer = setInterval(() => {
      if (busy || s.closing) return;
      busy = true;
      work()
        .catch((error) => log.error({ error: sentenceOf(error) }, "a regular check failed"))
        .finally(() => {
          busy = false;
        });
    }, ms);
    timers.push(timer.unref());
  };
  const housekeeping = async () => {
    const before = new Date(Date.parse(deps.clock()) - RAW_DAYS * DAY_MS).toISOString();
    for (const sessionId of sessionsWithRaw(store, before)) {
      if (s.closing) return;
      inTransaction(store, (tx) => purgeRaw(tx, sessionId, before));
      await nextTurn();
    }
    if (s.closing) return;
    await s.lanes.run("device", async () => {
      await sweepTrash({ store, trashRoot: deps.paths.trash, now: deps.clock() });
    });
  };
  const context = {
    get deviceId() {
      return deps.deviceId;
    },
    get deviceName() {
      return deps.deviceName;
    },
  };
  const count = store.sqlite.prepare(`select count(*) from sessions where status = ? and not ${LEFT_TO_OTHER}`).pluck();

  return {
    bus: s.bus,
    diff: (sessionId) => readDiff(s, sessionId),
    obey: (row) => obey(s, row),
    sessions: createSessionsPort({
      store,
      bus: s.bus,
      context,
      diff: (sessionId) => readDiff(s, sessionId),
      start: (input) => startSession(s, input),
      commandState: (commandId) => commandStateOf(store, commandId, context),
      command: async ({ id, sessionId, payload, expects }) =>
        refuseOtherHome(s.deps, sessionId) ??
        carryOut(s, {
          id,
          sessionId,
          payload,
          targetDeviceId: deps.deviceId,
          senderDeviceId: deps.deviceId,
          expects: { status: expects },
          incarnation: null,
          at: deps.clock(),
        }),
    }),
    async start() {
      await reconcile(s);
      s.pump = () => pump(s);
      s.pump();
      every(CHECK_MS, async () => {
        await checkWorktrees(s);
        await finishClaimed(s);
        s.pump();
      });
      every(HOUSEKEEPING_MS, housekeeping);
      housekeeping().catch((error) => log.error({ error: sentenceOf(error) }, "housekeeping failed"));
    },
    counts: () => ({
      running: count.get("running") as number,
      queued: count.get("queued") as number,
      waiting: count.get("awaiting_approval") as number,
    }),
    reading: () => s.active.size,
    async orphans() {
      const found = await listOrphans({ store, worktreeRoot: deps.settings.worktreeRoot });
      return found.ok ? found.paths : [];
    },
    async drain() {
      s.closing = true;
      for (const timer of timers) clearInterval(timer);
      await s.lanes.idle();
      s.inbox.close();
    },
  };
}
