import { RECORD_KINDS } from "@codehands/contracts";
import { fromBase64url, toBase64url } from "../bytes/base64url.ts";
import { acceptRecord, isShared } from "../records/accept-record.ts";
import { checkTail } from "../records/check-tail.ts";
import { checkViews, type HeldView } from "../records/check-views.ts";
import { type DeviceView, markOf, newIncarnation, recordsDigest } from "../records/device-record.ts";
import { LOG_START, type LogPosition } from "../sealing/place-segment.ts";
import type { OpenedRecord, RecordPlan } from "../sealing/record.ts";
import { sealRecord } from "../sealing/record.ts";
import { sealSegment } from "../sealing/segment.ts";
import { eventLine } from "../vault-world.test-kit.ts";
import { type Account, openOnce, openSegmentOnce } from "./model-account.test-kit.ts";
import { type CloudRow, type CloudSegment, keyOf, type ModelCloud } from "./model-cloud.test-kit.ts";

/** A log as a device holds it: its own, or another's as far as it was read. */
interface HeldLog extends LogPosition {
  values: Uint8Array[];
}

type Held = Pick<OpenedRecord, "header" | "hash" | "body">;

interface Outgoing extends Held {
  item: Uint8Array;
}

/** One device of the model: what V22 to V25 say of memory, and what V20 and V21 say of logs. */
export class ModelDevice {
  readonly id: string;
  readonly held = new Map<string, Held>();
  readonly logs = new Map<string, HeldLog>();
  /** What it would show to a person. */
  readonly alarms: string[] = [];
  cursor = 0;
  readonly #account: Account;
  readonly #place: number;
  readonly #acked = new Map<string, Held>();
  #n = 0;
  #out: Outgoing[] = [];
  #segments: CloudSegment[] = [];
  readonly #incarnation = newIncarnation();

  constructor(account: Account, place: number) {
    this.#account = account;
    this.#place = place;
    this.id = account.ids[place] ?? "";
  }

  get hasNews(): boolean {
    return this.#out.length > 0;
  }

  async write(plan: Pick<RecordPlan, "kind" | "id" | "body" | "deleted">): Promise<void> {
    const rev = (this.held.get(keyOf(plan))?.header.rev ?? 0) + 1;
    const access = this.#account.accesses[this.#place];
    if (!access) throw new Error("no such device");
    const { bytes, hash, header } = await sealRecord(access, { ...plan, rev, n: ++this.#n });
    const written = { header, hash, body: plan.body, item: bytes };
    this.held.set(keyOf(plan), written);
    this.#out.push(written);
  }

  /** Events of its own log, and the session record that signs how far it reaches (V21). */
  async append(count: number): Promise<void> {
    const stream = this.#account.streams[this.#place] ?? "";
    const access = this.#account.accesses[this.#place];
    if (!access) throw new Error("no such device");
    const log = this.logs.get(stream) ?? { ...LOG_START, values: [] };
    const from = log.last + 1;
    const events = Array.from({ length: count }, (_, at) => eventLine(from + at));
    const plan = { stream, writerEpoch: 1, from, before: log.tail, events };
    const { bytes, values, header } = await sealSegment(access, plan);
    const tail = { writerEpoch: 1, last: header.to, tail: header.after, values: [...log.values, ...values] };
    this.logs.set(stream, tail);
    this.#segments.push({ stream, from, item: bytes });
    const body = { lastSeq: tail.last, tailMac: toBase64url(tail.tail) };
    await this.write({ kind: RECORD_KINDS.session, id: stream, body });
  }

  async writeView(): Promise<void> {
    const { roster } = this.#account;
    const others = this.#views().filter(([id]) => id !== this.id);
    const seen = Object.fromEntries(others.map(([id, view]) => [id, markOf(view)]));
    const own = [...this.held.values()].filter(
      ({ header }) => header.writer === this.id && header.kind !== 1 && !isShared(header.kind) && !header.deleted,
    );
    const rows = own.map(({ header, hash }) => ({ kind: header.kind, id: header.id, n: header.n, hash }));
    const body: DeviceView = {
      incarnation: this.#incarnation,
      roster: { seq: roster.seq, hash: toBase64url(roster.hash) },
      seen,
      digest: await recordsDigest(rows),
    };
    await this.write({ kind: RECORD_KINDS.device, id: this.id, body });
  }

  async push(cloud: ModelCloud): Promise<void> {
    if (this.#out.length > 0 && this.#out.at(-1)?.header.kind !== RECORD_KINDS.device) await this.writeView();
    cloud.segments.push(...this.#segments);
    for (const { header, hash, body, item } of this.#out) {
      const stored = cloud.rows.get(keyOf(header));
      if (stored && isShared(header.kind) && stored.rev >= header.rev) {
        const theirs = await openOnce(this.#account, stored.item, stored);
        if (theirs.ok) this.held.set(keyOf(header), theirs.value);
        continue;
      }
      const { kind, id, rev, writer, n } = header;
      cloud.put({ kind, id, rev, writer, n, hash, item });
      this.#acked.set(keyOf(header), { header, hash, body });
    }
    this.#out = [];
    this.#segments = [];
  }

  /** Pulls to head, then reads the logs, then looks at the views (V24). */
  async pull(cloud: ModelCloud, between: () => Promise<void> = async () => undefined): Promise<void> {
    for (;;) {
      const page = cloud.page(this.cursor, this.id);
      for (const row of page.rows) await this.#take(row);
      this.cursor = page.next;
      if (!page.more) break;
      await between();
    }
    await this.#readLogs(cloud);
    const records = [...this.held.values()].map(({ header, hash }) => ({ ...header, hash }));
    const views = new Map(this.#views());
    for (const lie of await checkViews({ roster: this.#account.roster, views, records }))
      this.alarms.push(`${lie.code} ${lie.what}`);
  }

  async #take(row: CloudRow): Promise<void> {
    const opened = await openOnce(this.#account, row.item, row);
    if (!opened.ok) return void this.alarms.push(opened.code);
    const next = opened.value;
    const key = keyOf(next.header);
    const isDirty = this.#out.some(({ header }) => keyOf(header) === key);
    const mine = isDirty ? this.#acked.get(key) : this.held.get(key);
    const memory = mine ? { ...mine.header, hash: mine.hash } : null;
    const accepted = acceptRecord(memory, { ...next.header, hash: next.hash });
    if (!accepted.ok) this.alarms.push(accepted.code);
    else if (!isDirty) this.held.set(key, next);
  }

  async #readLogs(cloud: ModelCloud): Promise<void> {
    for (const { header, body } of [...this.held.values()]) {
      if (header.kind !== RECORD_KINDS.session || header.writer === this.id || header.deleted) continue;
      const signed = body as { lastSeq: number; tailMac: string };
      if (signed.tailMac === undefined) continue;
      const log = await this.#readLog(cloud, { stream: header.id, writer: header.writer });
      const tail = { lastSeq: signed.lastSeq, tailMac: fromBase64url(signed.tailMac) };
      const checked = checkTail(tail, log, (seq) => log.values[seq - 1] ?? null);
      if (!checked.ok) this.alarms.push(checked.code);
    }
  }

  async #readLog(cloud: ModelCloud, { stream, writer }: { stream: string; writer: string }): Promise<HeldLog> {
    let log = this.logs.get(stream) ?? { ...LOG_START, values: [] };
    for (const { item } of cloud.log(stream, log.last, this.id)) {
      const now = log;
      const place = { stream, writer, held: now, chainAt: (seq: number) => now.values[seq - 1] ?? null };
      const opened = await openSegmentOnce(this.#account, item, place);
      if (!opened.ok) {
        this.alarms.push(opened.code);
        continue;
      }
      const values = [...now.values, ...opened.value.values];
      log = { writerEpoch: 1, last: values.length, tail: values.at(-1) ?? now.tail, values };
    }
    this.logs.set(stream, log);
    return log;
  }

  #views(): [string, HeldView][] {
    return [...this.held.values()]
      .filter(({ header }) => header.kind === RECORD_KINDS.device)
      .map(({ header, hash, body }) => [header.id, { n: header.n, hash, view: body as DeviceView }]);
  }
}
