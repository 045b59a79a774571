import type { PushBatch } from "@codehands/api/cloud";
import type { LogRow, PushCode, RecordRow } from "@codehands/contracts";
import {
  judgeLogPush,
  judgeRecordPush,
  logDigest,
  type PushedLog,
  recordDigest,
  xorSums,
} from "@codehands/sync/answers";
import { itemMac } from "./item-mac.ts";
import { type Act, RECORDS, STREAMS } from "./random-acts.test-kit.ts";
import { parseRecordHeader, parseSegmentHeader } from "./sealed-header.ts";
import { macAt } from "./sealed-items.test-kit.ts";
import type { PushItems } from "./sync-stage.test-kit.ts";

const NO_SUM = "0000000000000000";
type PlainRecord = Omit<RecordRow, "receivedAt">;

/** A cloud in memory that judges by the law's own functions and keeps its rows by the simplest code there is. */
export class LawfulCloud {
  readonly #logs = new Map<string, LogRow>();
  readonly #records = new Map<string, PlainRecord>();
  readonly epoch: string;
  head = 0;

  constructor(epoch: string) {
    this.epoch = epoch;
  }

  /** What an act pushes, as things stand. Deletions of logs have no events: `addDeletions`. */
  itemsOf(act: Act, devices: readonly string[]): PushItems {
    const logs = act.logs
      .filter(({ deleted }) => !deleted)
      .map(({ stream, offset, repeat, events, isOtherHistory, writerEpoch }) => {
        const streamId = STREAMS[stream] ?? "";
        const last = this.#logs.get(streamId)?.lastSeq ?? 0;
        const from = Math.max(1, repeat ? last - events + 1 : last + 1 + offset);
        const count = repeat && last > 0 ? last - from + 1 : events;
        return { streamId, from, events: count, writerEpoch, ...(isOtherHistory && { history: "another" }) };
      });
    const records = act.records.map(({ record, baseOffset, rev, isOthersItem, deleted }) => {
      const { kind, id } = RECORDS[record] ?? RECORDS[0];
      const base = Math.max(0, (this.#records.get(`${kind}:${id}`)?.version ?? 0) + baseOffset);
      const writer = devices[isOthersItem ? 1 - act.device : act.device] ?? "";
      return { kind, id, base, rev, deleted, writer };
    });
    return { logs, records };
  }

  addDeletions(batch: PushBatch, act: Act): void {
    for (const { stream, writerEpoch } of act.logs.filter(({ deleted }) => deleted)) {
      const streamId = STREAMS[stream] ?? "";
      const from = (this.#logs.get(streamId)?.lastSeq ?? 0) + 1;
      const mac = macAt(streamId, from - 1).toString("base64url");
      batch.logs.push({ streamId, kind: 1, writerEpoch, from, lens: [], prevMac: mac, mac, deleted: true });
    }
  }

  /** Judges every item by the rows as they were, logs first, then gives versions: logs in the order of their ids. */
  judge(batch: PushBatch, sender: string) {
    const effects: string[] = [];
    const logs = new Map<string, { code: PushCode; row: LogRow | null }>();
    for (const asked of [...batch.logs].sort((a, b) => (a.streamId < b.streamId ? -1 : 1))) {
      const pushed = readLog(batch, asked, sender);
      const held = this.#logs.get(asked.streamId) ?? null;
      const { code, effect } = judgeLogPush(held, pushed);
      if (effect !== "none") this.#logs.set(asked.streamId, this.#nextLog(held, pushed));
      effects.push(effectName(code, effect));
      logs.set(asked.streamId, { code, row: this.#logs.get(asked.streamId) ?? null });
    }
    const records = batch.records.map((asked) => this.#judgeRecord(asked, { sender, again: batch.again === true }));
    const inOrder = batch.logs.map(({ streamId }) => logs.get(streamId));
    return { logs: inOrder, records, effects, codes: [...logs.values(), ...records].map(({ code }) => code) };
  }

  #nextLog(held: LogRow | null, pushed: PushedLog): LogRow {
    this.head += 1;
    const { streamId, kind, writer, writerEpoch } = pushed;
    const made = held ?? { streamId, kind, writer, writerEpoch, lastSeq: 0, tailMac: pushed.prevMac };
    const end = pushed.deleted ? {} : { lastSeq: pushed.to, tailMac: pushed.mac };
    return { ...made, ...end, version: this.head, deleted: pushed.deleted === true };
  }

  #judgeRecord(asked: PushBatch["records"][number], by: { sender: string; again: boolean }) {
    const { kind, id, base, body } = asked;
    const item = Buffer.from(body, "base64url");
    const header = parseRecordHeader(item);
    if (header === null) throw new Error("no record");
    const { writer, rev, keyEpoch: keyId, deleted } = header;
    const held = this.#records.get(`${kind}:${id}`) ?? null;
    const row = held && { ...held, receivedAt: "" };
    const code = judgeRecordPush(row, { kind, base, writer, ...by });
    if (code !== "OK") {
      // What its own header forbids is not looked up.
      const isByItself = judgeRecordPush(null, { kind, base: 0, writer, ...by }) === "FORBIDDEN";
      return { code, row: isByItself ? null : held };
    }
    this.head += 1;
    const mac = itemMac(item).toString("base64url");
    const next = { kind, id, version: this.head, rev, mac, keyId, body, deleted, writer };
    this.#records.set(`${kind}:${id}`, next);
    return { code, row: next };
  }

  /** All rows in the order of the feed. */
  feed(): object[] {
    return [...this.#logs.values(), ...this.#records.values()].sort((a, b) => a.version - b.version);
  }

  sum(): string {
    const logs = [...this.#logs.values()].map(logDigest);
    const records = [...this.#records.values()].map((row) => recordDigest({ ...row, receivedAt: "" }));
    return [...logs, ...records].reduce(xorSums, NO_SUM);
  }
}

function effectName(code: PushCode, effect: "create" | "append" | "delete" | "none"): string {
  if (effect === "none") return code === "OK" ? "repeat" : "refused";
  return effect === "create" ? "new" : effect === "delete" ? "deleted" : "appended";
}

/** One log of a push with the range that its segments say. */
function readLog(batch: PushBatch, asked: PushBatch["logs"][number], writer: string): PushedLog {
  if (asked.deleted) return { ...asked, to: asked.from - 1, writer };
  const before = batch.logs.slice(0, batch.logs.indexOf(asked)).flatMap(({ lens }) => lens);
  const end = [...before, ...asked.lens].reduce((sum, length) => sum + length, 0);
  const blob = Buffer.from(batch.blob, "base64url").subarray(0, end);
  const segment = parseSegmentHeader(blob.subarray(end - (asked.lens.at(-1) ?? 0)));
  if (segment === null) throw new Error("no segment");
  return { ...asked, to: segment.to, writer };
}
