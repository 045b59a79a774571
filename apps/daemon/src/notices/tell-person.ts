import type { CommandRow } from "../commands/command-rows.ts";
import type { OpenDatabase } from "../database/open-database.ts";
import type { SessionBus } from "../sessions/session-bus.ts";
import { readSession } from "../sessions/session-rows.ts";
import type { ShowNotice } from "./desktop-notices.ts";

export interface TellDeps {
  store: OpenDatabase;
  bus: SessionBus;
  show: ShowNotice;
  /** The person's `notify`. */
  isWanted: () => boolean;
  /** ISO time of this start: what ended before it is no news. */
  startedAt: string;
}

/** Tells the person at this machine when a session begins to wait for approval. Returns how to stop it. */
export function tellWhenWaiting({ store, bus, show, isWanted, startedAt }: TellDeps): () => void {
  const told = new Map<string, string>();
  return bus.subscribe(null, (sessionId) => {
    const session = readSession(store, sessionId);
    if (session?.status !== "awaiting_approval") return;
    const at = session.finishedAt ?? "";
    if (at < startedAt || told.get(sessionId) === at) return;
    told.set(sessionId, at);
    if (isWanted()) show({ title: "Ready for your review", body: `${session.title} (${sessionId.slice(0, 8)})` });
  });
}

const DONE: Readonly<Record<string, string>> = {
  start: "started a session",
  stop: "stopped a session",
  resume: "resumed a session",
  approve: "approved a change",
  reject: "rejected a change",
  discard: "discarded a session",
  clean: "cleaned up",
};

/** What is shown when this device obeys another one (V33): who it was, and what about. */
export function obeyedNotice(store: OpenDatabase, row: CommandRow, sender: string): { title: string; body: string } {
  const session = row.sessionId === null ? undefined : readSession(store, row.sessionId);
  const about = session === undefined ? "" : `: ${session.title} (${session.id.slice(0, 8)})`;
  return { title: `Command from ${sender}`, body: `${sender} ${DONE[row.kind] ?? row.kind}${about}` };
}
