import type { SessionPage, SessionQuery, SessionView } from "@codehands/api";
import { RECORD_KINDS } from "@codehands/contracts";
import type { HeldRecord } from "@codehands/sync";
import { recordKey } from "@codehands/sync";
import type { ReplicaDeps } from "../ports/replica-deps.ts";
import { checkHistory } from "./check-history.ts";
import { pageOf } from "./list-sessions.ts";
import { type KnownDevice, readDevices } from "./read-device.ts";
import { isBareFork, SessionCache, type SignedSession } from "./read-session.ts";

/** The sessions of other devices as their signed records tell them. */
export class RemoteSessions {
  readonly #deps: ReplicaDeps;
  readonly #cache: SessionCache;

  constructor(deps: ReplicaDeps) {
    this.#deps = deps;
    this.#cache = new SessionCache(deps.clock);
  }

  /** One page, newest first; rows that cannot be read are counted. */
  async list(query: SessionQuery): Promise<SessionPage> {
    const { sessions, unreadable } = await this.#all();
    const { page, nextCursor } = pageOf(sessions, query);
    const devices = await readDevices(this.#deps.store);
    const views = await Promise.all(page.map((session) => this.#viewOf(session, devices)));
    return { sessions: views, unreadable, nextCursor };
  }

  /** All of them without what is held of their events: for finding one by a short name. */
  async names(): Promise<SessionView[]> {
    return (await this.#all()).sessions.map(({ view }) => view);
  }

  /** Null for a session that is unknown, of this device, or that cannot be read. */
  async find(sessionId: string): Promise<SignedSession | null> {
    const key = { kind: RECORD_KINDS.session, id: sessionId.toLowerCase() };
    const { records } = await this.#deps.store.read({ records: [key] });
    const record = records.get(recordKey(key));
    return record && this.#isOthers(record) ? this.#cache.read(record) : null;
  }

  async get(sessionId: string): Promise<SessionView | null> {
    const session = await this.find(sessionId);
    return session && this.#viewOf(session, await readDevices(this.#deps.store));
  }

  async #all(): Promise<{ sessions: SignedSession[]; unreadable: number }> {
    const records = await this.#deps.store.recordsOf(RECORD_KINDS.session);
    const sessions: SignedSession[] = [];
    let unreadable = 0;
    for (const record of records) {
      if (!this.#isOthers(record)) continue;
      const session = this.#cache.read(record);
      if (session) sessions.push(session);
      else if (!isBareFork(record)) unreadable += 1;
    }
    return { sessions, unreadable };
  }

  #isOthers(record: HeldRecord): boolean {
    const me = this.#deps.me();
    return me !== null && record.writer !== me.deviceId && !record.deleted;
  }

  async #viewOf(session: SignedSession, devices: ReadonlyMap<string, KnownDevice>): Promise<SessionView> {
    const { store, clock } = this.#deps;
    const { view, writer, receivedAt } = session;
    const log = await store.logOf(view.id);
    const heldSeq = log?.lastSeq ?? 0;
    let macAtSigned = heldSeq === view.lastSeq ? (log?.tailMac ?? null) : null;
    if (heldSeq > view.lastSeq && view.lastSeq > 0)
      macAtSigned = (await store.eventsOf({ streamId: view.id, after: view.lastSeq - 1, limit: 1 }))[0]?.mac ?? null;
    return {
      ...view,
      device: { id: writer, name: devices.get(writer)?.name ?? view.device.name },
      remote: { heldSeq, receivedAt, warning: checkHistory(session, { log, macAtSigned }, clock()) },
    };
  }
}
