/** Contract C3: what travels between a device and the cloud. Bodies are sealed; the cloud reads none of them. */

/** Kinds of records, as the u16 that stands in their sealed header. */
export const RECORD_KINDS = {
  device: 1,
  repo: 2,
  session: 3,
  task: 4,
  command: 5,
  outcome: 6,
  change: 7,
  note: 8,
  preference: 9,
  packet: 10,
} as const;
export type RecordKind = keyof typeof RECORD_KINDS;

/** Who may write a record of a kind: one device, or every device of the account. */
export const RECORD_WRITERS: Readonly<Record<RecordKind, "device" | "owner" | "sender" | "target" | "shared">> = {
  device: "device",
  repo: "shared",
  session: "owner",
  task: "shared",
  command: "sender",
  outcome: "target",
  change: "owner",
  note: "device",
  preference: "shared",
  packet: "device",
};

/** Kinds of logs: the events of a session, or the slices of a change. */
export const LOG_KINDS = { session: 1, change: 2 } as const;
export type LogKind = keyof typeof LOG_KINDS;

/** A small sealed mutable thing, as the cloud stores it. */
export interface RecordRow {
  kind: number;
  id: string;
  /** Given by the cloud, from one counter per account. */
  version: number;
  rev: number;
  /** First 16 bytes of the item's hash, base64url. */
  mac: string;
  keyId: number;
  /** Sealed bytes, base64url. A deletion is a sealed record as well. */
  body: string;
  deleted: boolean;
  writer: string;
  /** The cloud's clock. */
  receivedAt: string;
}

/** The state of a log: it says how far its segments reach. */
export interface LogRow {
  streamId: string;
  kind: number;
  writer: string;
  writerEpoch: number;
  lastSeq: number;
  /** Chain value after lastSeq, base64url. */
  tailMac: string;
  version: number;
  deleted: boolean;
}

/** A sealed range of a log's events. */
export interface Segment {
  streamId: string;
  fromSeq: number;
  toSeq: number;
  prevMac: string;
  mac: string;
  keyId: number;
  body: string;
}

/** A process introduces itself; the token says as which device. */
export interface HelloRequest {
  /** Boot ids of the device's processes, the newest last. */
  boots: string[];
  boot: string;
  /** `register` after a pairing, `adopt` after a person said that this copy is the device. */
  mode?: "register" | "adopt";
  /** With `adopt`: the boot id that the refusal showed. */
  seen?: string;
}

export type HelloReply = { answer: "OK"; epoch: string } | { answer: "COPY"; seen: string } | SyncRefusal;

/** The cloud does not know the device (it was restored to before the pairing), or the device was removed. */
export interface SyncRefusal {
  answer: "UNKNOWN" | "REVOKED";
}

/** Segments after a seq, the first one covering `after + 1`; or before one, the last covering `before - 1`. */
export type SegmentsRequest = { streamId: string; limit: number } & ({ after: number } | { before: number });

/** `gone`: there is no such log, or it was deleted. */
export type SegmentsReply = { segments: Segment[] } | { gone: true };

/** Replaces the segments that tile exactly from … to by one. */
export interface CompactRequest {
  boot: string;
  streamId: string;
  writerEpoch: number;
  from: number;
  to: number;
  prevMac: string;
  mac: string;
}

export type CompactReply = { code: "OK" | "FENCED" | "RANGE" } | SyncReset;

export interface PullRequest {
  epoch: string;
  cursor: number;
  since: number | null;
  /** The newest version this device has seen. */
  top: number;
  limit: number;
}

export interface PullPage {
  from: number;
  rows: (({ row: "record" } & RecordRow) | ({ row: "log" } & LogRow))[];
  next: number;
  more: boolean;
  head: number;
  /**
   * On the page that reaches head: 16 hex digits, the XOR over all live rows of the first 8 bytes of SHA-256 over, big-endian,
   * record: u16 kind, id (16), u64 version, mac (16) · log: stream id (16), u64 version, u64 last seq, tail mac (16),
   * writer (16), u32 writer epoch.
   */
  sum?: string;
  /** The cloud's clock, ISO. */
  now: string;
  /** Newest statement of the roster. */
  rosterSeq: number;
}

export interface PushRequest {
  epoch: string;
  boot: string;
  cursor: number;
  since: number | null;
  logs: {
    streamId: string;
    kind: number;
    writerEpoch: number;
    from: number;
    prevMac: string;
    /** Bytes of each sealed segment in the blob, in order; each names its own range in its header. */
    lens: number[];
    mac: string;
    deleted?: true;
  }[];
  records: { kind: number; id: string; base: number; body: string }[];
  /** Items sealed earlier, sent again after the cloud was restored. */
  again?: true;
}

/**
 * What became of one item of a push. Logs: OK, GONE, FENCED, HAVE (it does not go on where the cloud's log ends; no row:
 * the cloud has none), RANGE (the sealed headers contradict the request). Records: OK, CONFLICT, FORBIDDEN, TOO_LARGE,
 * UNKNOWN_KIND (also a header that contradicts the request).
 */
export const PUSH_CODES = [
  "OK",
  "CONFLICT",
  "FENCED",
  "RANGE",
  "FORBIDDEN",
  "TOO_LARGE",
  "UNKNOWN_KIND",
  "HAVE",
  "GONE",
] as const;
export type PushCode = (typeof PUSH_CODES)[number];

export interface PushReply {
  logs: { code: PushCode; row: LogRow | null }[];
  records: { code: PushCode; row: RecordRow | null }[];
  page?: PullPage;
}

/** A whole push was refused before anything was written: it is too large, or sealed under an older key epoch (V12). */
export interface PushRefusal {
  refused: "TOO_LARGE" | "STALE_EPOCH";
  rosterSeq: number;
}

/** A push or pull that cannot go on as asked. */
export type SyncReset = { reset: "lineage" | "purged"; epoch: string } | { reset: "boot" };

/** One push holds at most this many events and bytes. */
export const PUSH_LIMITS = { events: 1_000, bytes: 1_048_576 } as const;

export interface SignUpRequest {
  email: string;
  password: string;
}
export interface LogInRequest {
  email: string;
  password: string;
}

/** A device asks for an access token by signing a fresh challenge. */
export interface DeviceChallenge {
  challenge: string;
  /** Valid for 60 s. */
  expiresAt: string;
}
export interface DeviceTokenRequest {
  deviceId: string;
  challenge: string;
  signature: string;
}
export interface DeviceToken {
  /** Valid for one hour, and refused within a second of the device's revocation. */
  token: string;
  expiresAt: string;
}
