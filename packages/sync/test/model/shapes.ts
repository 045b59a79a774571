/** A record as the cloud holds it. */
export interface RecordRow {
  kind: string;
  id: string;
  rev: number;
  body: string;
  del: boolean;
  mac: string;
  writer: string;
  at: number;
  ver: number;
}
/** A record as a device holds it. */
export interface HeldRecord {
  kind: string;
  id: string;
  rev: number;
  body: string;
  del: boolean;
  /** Empty until it is sealed. */
  mac: string;
  writer: string;
  base: RecordRow | null;
  dirty: "" | "edit" | "salvage";
  unseen?: boolean;
}
export interface LogRow {
  sid: string;
  writer: string;
  last: number;
  mac: string;
  ver: number;
  del: boolean;
}
export interface HeldLog {
  sid: string;
  writer: string;
  mine: boolean;
  followed: boolean;
  dead: boolean;
  row: LogRow | null;
  events: { id: string; mac: string; key: number }[];
  pushed: number;
  /** The highest seq that was ever known to be acknowledged. */
  final: number;
  side: string[];
  rewound: number;
}
export interface Segment {
  from: number;
  to: number;
  prev: string;
  mac: string;
  events: string[];
}
export interface Cloud {
  epoch: string;
  head: number;
  purged: number;
  now: number;
  devs: Record<string, { boot: string; revoked?: true }>;
  recs: Record<string, RecordRow>;
  logs: Record<string, LogRow>;
  segs: Record<string, Segment[]>;
}

interface From {
  dev: string;
  boot: string;
  gen: number;
}
export interface HelloRequest extends From {
  t: "hello";
  boots: string[];
  prev: string | null;
  mode?: "register" | "adopt" | undefined;
  seen?: string | undefined;
}
export interface PullRequest extends From {
  t: "pull";
  epoch: string;
  cursor: number;
  since: number | null;
  top: number;
  limit: number;
  older?: Cloud;
}
export interface SegmentsRequest extends From {
  t: "segs";
  sid: string;
  after: number;
  limit: number;
}
export interface PushedLog {
  sid: string;
  from: number;
  prev: string;
  events: string[];
  mac: string;
  del: boolean;
}
export type PushedRecord = Pick<RecordRow, "kind" | "id" | "rev" | "body" | "del" | "mac" | "writer"> & {
  base: number;
};
export interface PushRequest extends From {
  t: "push";
  epoch: string;
  logs: PushedLog[];
  recs: PushedRecord[];
  cursor: number;
  since: number;
  limit: number;
  older?: Cloud;
}
export interface CompactRequest extends From {
  t: "compact";
  sid: string;
  from: number;
  to: number;
  prev: string;
  mac: string;
}
export type Request = HelloRequest | PullRequest | SegmentsRequest | PushRequest | CompactRequest;

export type PageRow = (RecordRow & { what: "rec" }) | (LogRow & { what: "log" });
export interface Page {
  from: number;
  rows: PageRow[];
  next: number;
  more: boolean;
  head: number;
  now: number;
  sum?: string | undefined;
  /** The sum as a machine of another kind computes it. */
  wireSum?: string | undefined;
}
export interface LogResult {
  sid: string;
  code: string;
  to: number;
  row: LogRow | null;
}
export interface RecordResult {
  key: string;
  code: string;
  mac: string;
  row: RecordRow | null;
}
export interface Reply {
  code: string;
  seen?: string;
  epoch?: string;
  reason?: "lineage" | "purged";
  page?: Page | undefined;
  logs?: LogResult[];
  recs?: RecordResult[];
  segs?: Segment[];
}
