import type { DiffView, SessionsPort } from "@codehands/api";
import { readChange } from "../changes/read-change.ts";
import { createCommandSender } from "../commands/command-sender.ts";
import type { ReplicaDeps } from "../ports/replica-deps.ts";
import { resolveRef } from "./list-sessions.ts";
import { readEvents } from "./read-events.ts";
import { RemoteSessions } from "./remote-sessions.ts";
import { watchRemote } from "./watch-remote.ts";

/** The sessions of other devices: read from what is held here, and commanded through their owners. */
export function createReplicaSessions(deps: ReplicaDeps): SessionsPort {
  const sessions = new RemoteSessions(deps);
  const commands = createCommandSender(deps, sessions);
  return {
    list: (query) => sessions.list(query),
    get: (sessionId) => sessions.get(sessionId),
    resolve: async (ref) => resolveRef(await sessions.names(), ref),
    async events(query) {
      const session = await sessions.find(query.sessionId);
      return session ? await readEvents(deps, session, query) : { events: [], lastSeq: 0 };
    },
    async diff(sessionId): Promise<DiffView | null> {
      const session = await sessions.find(sessionId);
      return session && (await readChange(deps, session));
    },
    watch: (query, signal) => watchRemote({ deps, sessions }, query, signal),
    ...commands,
  };
}
