import type { Caller, CommandAnswer, CommandState, DiffView, SessionsPort, StartInput } from "@codehands/api";
import type { CommandPayload, Diff, SessionStatus } from "@codehands/contracts";
import type { OpenDatabase } from "../database/open-database.ts";
import { readEvents } from "./read-events.ts";
import { listSessions, resolveSession, viewSession } from "./read-sessions.ts";
import type { SessionBus } from "./session-bus.ts";
import { statusOf } from "./session-rows.ts";
import type { ViewContext } from "./session-view.ts";
import { watchSession } from "./watch-session.ts";

export interface SessionsPortDeps {
  store: OpenDatabase;
  bus: SessionBus;
  context: ViewContext;
  /** Null when there is no change to show any more. */
  diff: (sessionId: string) => Promise<Diff | null>;
  start: (input: StartInput) => Promise<CommandAnswer>;
  /** Takes any other command and answers it. */
  command: (wish: Wish) => Promise<CommandAnswer>;
  /** A command that came here, as far as it is; null for an unknown one. */
  commandState: (commandId: string) => CommandState;
}

/** A command as it comes in, before it gets its sender and time. */
export interface Wish {
  id: string;
  sessionId: string | null;
  payload: CommandPayload;
  /** The statuses its sender saw; empty when it did not look. */
  expects: SessionStatus[];
}

/** The sessions of this device as the router sees them. Decisions are refused to a caller that is an agent's own run. */
export function createSessionsPort(deps: SessionsPortDeps): SessionsPort {
  const { store, bus, context } = deps;
  const decide = async (caller: Caller, wish: Wish): Promise<CommandAnswer> =>
    caller.runId === null ? await deps.command(wish) : refuseAgent();
  return {
    list: async (query) => listSessions(store, query, context),
    get: async (sessionId) => viewSession(store, sessionId, context),
    resolve: async (ref) => resolveSession(store, ref),
    events: async (query) => readEvents(store, query),
    async diff(sessionId): Promise<DiffView | null> {
      return statusOf(store, sessionId) === undefined ? null : await deps.diff(sessionId);
    },
    watch: (query, signal) => watchSession({ store, bus, context }, query, signal),
    start: async (input) => await deps.start(input),
    stop: async ({ commandId, sessionId, expects, now }) =>
      await deps.command({ id: commandId, sessionId, expects, payload: { kind: "stop", ...known({ now }) } }),
    resume: async ({ commandId, sessionId, expects, prompt, budgetUsd }, caller) => {
      const wish = {
        id: commandId,
        sessionId,
        expects,
        payload: { kind: "resume", ...known({ prompt, budgetUsd }) },
      } as const;
      // An agent must not raise its own budget.
      return budgetUsd === undefined ? await deps.command(wish) : await decide(caller, wish);
    },
    approve: async ({ commandId, sessionId, expects, ...options }, caller) =>
      await decide(caller, { id: commandId, sessionId, expects, payload: { kind: "approve", ...known(options) } }),
    reject: async ({ commandId, sessionId, expects, reason }, caller) =>
      await decide(caller, { id: commandId, sessionId, expects, payload: { kind: "reject", ...known({ reason }) } }),
    discard: async ({ commandId, sessionId, expects }, caller) =>
      await decide(caller, { id: commandId, sessionId, expects, payload: { kind: "discard" } }),
    clean: async ({ commandId, dryRun, staleDays, orphans }, caller) => {
      const payload = { kind: "clean", ...known({ dryRun, staleDays, orphans }) } as const;
      return await decide(caller, { id: commandId, sessionId: null, expects: [], payload });
    },
    commandState: async (commandId) => deps.commandState(commandId),
    // What came here was taken on at once: there is nothing to take back.
    withdraw: async (commandId) => deps.commandState(commandId),
    sentCommands: async () => [],
  };
}

/** The fields that have a value: what was not said is not stored. */
function known<T extends Record<string, unknown>>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

function refuseAgent(): CommandAnswer {
  const reason = "An agent may not decide about a change. Nothing was changed: ask the person to do it.";
  return { ok: false, code: "agent_may_not", reason, next: null, session: null };
}
