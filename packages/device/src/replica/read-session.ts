import { type SessionView, sessionView } from "@codehands/api";
import type { HeldRecord } from "@codehands/sync";
import { readObject, textOf } from "./read-json.ts";

/** A session of another device, as its owner signed it. */
export interface SignedSession {
  view: SessionView;
  /** Chain value at `view.lastSeq`, base64url; empty before the first event (V21). */
  tailMac: string;
  writer: string;
  /** When the cloud received the record, ISO. */
  receivedAt: string | null;
  /** When this process saw this very record first, ISO. */
  seenAt: string;
}

/**
 * The session of a record; null when it cannot be read. Who owns it and its id are the record's: signed, and not what
 * the body says.
 */
export function readSession(record: HeldRecord, seenAt: string): SignedSession | null {
  const body = readObject(record.body);
  if (body === null) return null;
  const { remote: _, device, ...fields } = body;
  const told = typeof device === "object" && device !== null && "name" in device ? device.name : null;
  const parsed = sessionView.safeParse({
    ...fields,
    id: record.id,
    shortId: record.id.slice(0, 8),
    device: { id: record.writer, name: typeof told === "string" ? told : record.writer.slice(0, 8) },
  });
  if (!parsed.success) return null;
  return {
    view: parsed.data,
    tailMac: textOf(body, "tailMac") ?? "",
    writer: record.writer,
    receivedAt: record.base?.receivedAt ?? null,
    seenAt,
  };
}

/** True until the device of a fork writes the session of its own (S16). */
export const isBareFork = (record: HeldRecord): boolean => {
  const body = readObject(record.body);
  return body !== null && "forkOf" in body && !("status" in body);
};

/** Reads each record once, however often it is listed: a sealed record's content is named by its mac. */
export class SessionCache {
  readonly #read = new Map<string, { mac: string; session: SignedSession | null }>();
  readonly #clock: () => string;

  /** `clock` gives ISO time. */
  constructor(clock: () => string) {
    this.#clock = clock;
  }

  /** Null: it cannot be read. */
  read(record: HeldRecord): SignedSession | null {
    const known = this.#read.get(record.id);
    if (known && known.mac === record.mac && record.mac !== "")
      return known.session && { ...known.session, receivedAt: record.base?.receivedAt ?? null };
    const session = readSession(record, this.#clock());
    this.#read.set(record.id, { mac: record.mac, session });
    return session;
  }
}
