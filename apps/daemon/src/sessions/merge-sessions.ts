import type {
  Caller,
  CommandAnswer,
  Resolved,
  SessionPage,
  SessionQuery,
  SessionsPort,
  SessionView,
} from "@codehands/api";

export interface MergedSessions {
  /** The sessions of this device. */
  own: SessionsPort;
  /** The sessions of the account's other devices, and commands to their owners. */
  others: SessionsPort;
  /** This device. */
  deviceId: () => string;
  isOwn: (sessionId: string) => boolean;
  /** True for a command that this device's own table knows. */
  isOwnCommand: (commandId: string) => boolean;
  /** The key of the repository at a path of this device; null when there is none. */
  repoKeyAt: (path: string) => Promise<string | null>;
}

/** All sessions of the account as one port: each call goes to where the session lives. */
export function mergeSessions(merged: MergedSessions): SessionsPort {
  const { own, others } = merged;
  /** What nobody knows is answered as this device answers it. */
  const placeOf = async (sessionId: string): Promise<SessionsPort> =>
    merged.isOwn(sessionId) || (await others.get(sessionId)) === null ? own : others;
  const route =
    <I extends { sessionId: string }>(
      call: (port: SessionsPort) => (input: I, caller: Caller) => Promise<CommandAnswer>,
    ) =>
    async (input: I, caller: Caller): Promise<CommandAnswer> =>
      await call(await placeOf(input.sessionId))(input, caller);
  return {
    list: async (query) => mergePages(await Promise.all([own.list(query), others.list(query)]), query),
    get: async (sessionId) => await (merged.isOwn(sessionId) ? own : others).get(sessionId),
    async resolve(ref) {
      const found = await Promise.all([own.resolve(ref), others.resolve(ref)]);
      if (ref.trim() === "@last") return await newestOf(found, [own, others]);
      return mergeResolved(found, ref);
    },
    events: async (query) => await (await placeOf(query.sessionId)).events(query),
    diff: async (sessionId) => await (await placeOf(sessionId)).diff(sessionId),
    async *watch(query, signal) {
      yield* (await placeOf(query.sessionId)).watch(query, signal);
    },
    start: async (input, caller) => {
      const isHere = input.deviceId === undefined || input.deviceId === merged.deviceId();
      if (isHere) return await own.start(input, caller);
      // Elsewhere a path of this device says nothing: a repository is found by its key.
      return await others.start(
        { ...input, repoPath: (await merged.repoKeyAt(input.repoPath)) ?? input.repoPath },
        caller,
      );
    },
    stop: route((port) => port.stop),
    resume: route((port) => port.resume),
    approve: route((port) => port.approve),
    reject: route((port) => port.reject),
    discard: route((port) => port.discard),
    clean: (input, caller) => own.clean(input, caller),
    commandState: async (id) => await (merged.isOwnCommand(id) ? own : others).commandState(id),
    withdraw: async (id, caller) => await (merged.isOwnCommand(id) ? own : others).withdraw(id, caller),
    sentCommands: () => others.sentCommands(),
  };
}

/** Two pages that began at the same place as one, the newest first. A session that both know is shown as its own. */
export function mergePages(
  [own, others]: [SessionPage, SessionPage],
  { limit }: Pick<SessionQuery, "limit">,
): SessionPage {
  const ids = new Set(own.sessions.map(({ id }) => id));
  const all = [...own.sessions, ...others.sessions.filter(({ id }) => !ids.has(id))].sort(newestFirst);
  const sessions = all.slice(0, limit);
  const last = sessions.at(-1);
  const more = all.length > limit || own.nextCursor !== null || others.nextCursor !== null;
  // A page of rows that cannot be read still has an end to go on from.
  const end = last === undefined ? (own.nextCursor ?? others.nextCursor) : cursorAt(last);
  return { sessions, unreadable: own.unreadable + others.unreadable, nextCursor: more ? end : null };
}

/** What a short name means on this device and elsewhere; a whole id is never ambiguous. */
export function mergeResolved(found: readonly Resolved[], ref: string): Resolved {
  const ids = [...new Set(found.flatMap((one) => (one.ok ? [one.sessionId] : one.candidates)))];
  const whole = ref.trim().toLowerCase();
  const [only] = ids.includes(whole) ? [whole] : ids;
  if (only === undefined) return { ok: false, code: "not_found", candidates: [] };
  return ids.length === 1 || only === whole
    ? { ok: true, sessionId: only }
    : { ok: false, code: "ambiguous", candidates: ids.slice(0, 10) };
}

async function newestOf(found: readonly Resolved[], ports: readonly SessionsPort[]): Promise<Resolved> {
  const views = await Promise.all(ports.map(async (port, at) => viewOf(port, found[at])));
  const newest = views.filter((view) => view !== null).sort(newestFirst)[0];
  if (newest !== undefined) return { ok: true, sessionId: newest.id };
  // A row that cannot be read is still the last one.
  return found.find((one) => one.ok) ?? { ok: false, code: "not_found", candidates: [] };
}

async function viewOf(port: SessionsPort, found: Resolved | undefined): Promise<SessionView | null> {
  return found?.ok === true ? await port.get(found.sessionId) : null;
}

function newestFirst(a: SessionView, b: SessionView): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1;
  return a.id < b.id ? 1 : -1;
}

/** The same text as either side's own cursors. */
function cursorAt({ createdAt, id }: SessionView): string {
  return Buffer.from(`${createdAt} ${id}`).toString("base64url");
}
