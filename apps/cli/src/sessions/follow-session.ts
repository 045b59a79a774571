import { setTimeout as sleep } from "node:timers/promises";
import type { EventView } from "@codehands/api";
import { ApiError, type LocalClient } from "@codehands/api/client";
import { TERMINAL_EVENT_TYPES } from "@codehands/contracts";
import { CliError } from "../cli-error.ts";
import type { SessionView, WatchFrame } from "../wire-types.ts";
import { watchFrames } from "./watch-frames.ts";

export interface FollowOptions {
  client: LocalClient;
  sessionId: string;
  /** Events after this one; from the first when absent. */
  afterSeq?: number;
  /** An ending that the session had at this revision already is not the one to wait for. */
  endedAtRev?: number;
  onEvent?: (event: EventView) => void | Promise<void>;
  onSession?: (session: SessionView) => void;
  /** Ends following; the session goes on. */
  signal?: AbortSignal;
  /** Looks for the daemon after its connection was lost, without starting one; null while there is none. */
  findAgain: () => Promise<LocalClient | null>;
  /** How long a lost daemon may be away; 30 s when absent. */
  patienceMs?: number;
}

const POLL_MS = 200;
const PAGE = 500;

/**
 * Follows a session until it is neither queued nor running, handing out every event once and in order, also
 * across a restart of the daemon. Resolves to the session as it ended, or to null when `signal` aborted.
 */
export async function followSession(o: FollowOptions): Promise<SessionView | null> {
  const state: FollowState = { client: o.client, seen: o.afterSeq ?? 0 };
  for (;;) {
    try {
      return await followOnce(o, state);
    } catch (error) {
      if (o.signal?.aborted) return null;
      if (!(error instanceof ApiError) || error.code !== "unreachable") throw error;
    }
    const client = await comeBack(o);
    if (client === null) return null;
    state.client = client;
  }
}

interface FollowState {
  client: LocalClient;
  /** The newest event handed out. */
  seen: number;
}

async function followOnce(o: FollowOptions, state: FollowState): Promise<SessionView | null> {
  const now = await state.client.sessions.get.query({ sessionId: o.sessionId });
  if (now === null) throw gone(o.sessionId);
  o.onSession?.(now);
  if (hasEnded(now, o)) return catchUp(o, state, now);
  const frames = watchFrames(state.client, { sessionId: o.sessionId, afterSeq: state.seen }, o.signal);
  for await (const frame of frames) {
    const ended = await take(frame, o, state);
    if (ended !== null) return catchUp(o, state, ended);
  }
  if (o.signal?.aborted) return null;
  throw new ApiError("unreachable", "The daemon ended the stream of events.");
}

async function take(frame: WatchFrame, o: FollowOptions, state: FollowState): Promise<SessionView | null> {
  if (frame.kind === "session") {
    o.onSession?.(frame.session);
    return hasEnded(frame.session, o) ? frame.session : null;
  }
  await handOut(o, state, frame.event);
  if (!TERMINAL_EVENT_TYPES.some((type) => type === frame.event.type)) return null;
  const session = await state.client.sessions.get.query({ sessionId: o.sessionId });
  return session !== null && hasEnded(session, o) ? session : null;
}

/** The ending may be told before the last events are. */
async function catchUp(o: FollowOptions, state: FollowState, session: SessionView): Promise<SessionView> {
  while (state.seen < session.lastSeq) {
    const before = state.seen;
    const query = { sessionId: o.sessionId, afterSeq: before, limit: PAGE };
    const page = await state.client.sessions.events.query(query);
    for (const event of page.events) await handOut(o, state, event);
    if (state.seen === before) break;
  }
  return session;
}

async function handOut(o: FollowOptions, state: FollowState, event: EventView): Promise<void> {
  if (event.seq <= state.seen) return;
  state.seen = event.seq;
  await o.onEvent?.(event);
}

function hasEnded(session: SessionView, o: FollowOptions): boolean {
  if (session.status === "queued" || session.status === "running") return false;
  return o.endedAtRev === undefined || session.rev > o.endedAtRev;
}

/** The daemon's calls once it is back; null when the signal aborted meanwhile. */
async function comeBack(o: FollowOptions): Promise<LocalClient | null> {
  const giveUpAt = Date.now() + (o.patienceMs ?? 30_000);
  while (!o.signal?.aborted) {
    const client = await o.findAgain();
    if (client !== null) return client;
    if (Date.now() > giveUpAt) throw away(o.sessionId);
    await sleep(POLL_MS);
  }
  return null;
}

function gone(sessionId: string): CliError {
  const message = `There is no session ${sessionId} on this device any more.`;
  return new CliError({ code: "not_found", exitCode: 3, message, hint: "codehands ls --all-repos" });
}

function away(sessionId: string): CliError {
  return new CliError({
    code: "daemon_unreachable",
    exitCode: 7,
    message: "The daemon has stopped. The agent goes on, and its session is picked up when the daemon starts again.",
    hint: `codehands logs ${sessionId.slice(0, 8)} -f`,
  });
}
