import { randomUUID } from "node:crypto";
import type { CloudClient } from "@codehands/api/cloud-client";
import type { PullPage } from "@codehands/contracts";
import {
  CHAIN_START,
  chainEvents,
  Keyring,
  openRecord,
  openSegment,
  type Roster,
  sealRecord,
  sealSegment,
  type WriteAccess,
} from "@codehands/vault";
import type { TestAccount, TestDevice } from "../open-cloud.test-kit.ts";
import { valueOf } from "../pairing/let-in.test-kit.ts";
import type { PlantedRecord } from "./planted-records.test-kit.ts";

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");
const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "base64url"));

interface HeldLog {
  kind: number;
  last: number;
  tail: Uint8Array;
}

export interface Pushed {
  records?: readonly PlantedRecord[];
  log?: { kind: number; stream: string; events: readonly Uint8Array[] };
  deletedLog?: string;
}

/** A device with real keys that seals what it pushes and opens what it pulls. */
export class SealingDevice {
  readonly id: string;
  readonly client: CloudClient;
  readonly access: WriteAccess;
  readonly token: string;
  readonly #boot = randomUUID();
  readonly #bases = new Map<string, { version: number; rev: number }>();
  readonly #logs = new Map<string, HeldLog>();
  #epoch = "";
  #n = 0;

  private constructor(device: TestDevice, access: WriteAccess) {
    this.id = device.id;
    this.client = device.client;
    this.token = device.token;
    this.access = access;
  }

  /** Takes the roots and says hello. Nothing it seals is compressed: a body in clear would show as it is. */
  static async open(
    { roster, roots }: Pick<TestAccount, "roster" | "roots">,
    device: TestDevice,
  ): Promise<SealingDevice> {
    const keys = new Keyring(roster.vault);
    for (const root of roots) await keys.add(roster, root);
    const signKey = device.keys.sign.privateKey;
    const opened = new SealingDevice(device, { roster, keys, device: device.id, signKey, compress: false });
    const hello = await device.client.sync.hello.mutate({
      boot: opened.#boot,
      boots: [opened.#boot],
      mode: "register",
    });
    if (hello.answer !== "OK") throw new Error(hello.answer);
    opened.#epoch = hello.epoch;
    return opened;
  }

  set roster(roster: Roster) {
    this.access.roster = roster;
  }

  async takeEpoch(roster: Roster, root: Uint8Array): Promise<void> {
    this.access.roster = roster;
    await this.access.keys.add(roster, { epoch: roster.epoch, root });
  }

  /** Pushes one log or some records; each has to be taken. */
  async push({ records = [], log, deletedLog }: Pushed): Promise<void> {
    const sealed = await Promise.all(records.map((record) => this.#sealRecord(record)));
    const piece = log === undefined ? null : await this.#sealLog(log);
    const logs = [
      ...(piece === null ? [] : [piece.log]),
      ...(deletedLog === undefined ? [] : [this.#deletion(deletedLog)]),
    ];
    const answer = await this.client.sync.push.mutate({
      ...{ epoch: this.#epoch, boot: this.#boot, cursor: 0, since: null, logs, records: sealed },
      ...(piece === null ? {} : { blob: base64(piece.blob) }),
    });
    if (!("logs" in answer)) throw new Error(JSON.stringify(answer));
    for (const { code, row } of answer.records) {
      if (code !== "OK" || row === null) throw new Error(`record: ${code}`);
      this.#bases.set(`${row.kind}:${row.id}`, row);
    }
    for (const { code } of answer.logs) if (code !== "OK") throw new Error(`log: ${code}`);
  }

  /** Pushes one record as it comes, sealed or not. */
  async pushRaw(record: { kind: number; id: string; base: number; body: string }): Promise<void> {
    const batch = { epoch: this.#epoch, boot: this.#boot, cursor: 0, since: null, logs: [], records: [record] };
    const answer = await this.client.sync.push.mutate(batch);
    if (!("records" in answer) || answer.records[0]?.code !== "OK") throw new Error(JSON.stringify(answer));
  }

  /** Replaces the segments of its first events by one. */
  async compact(stream: string, events: readonly Uint8Array[]): Promise<void> {
    const sealed = await sealSegment(this.access, { stream, writerEpoch: 1, from: 1, before: CHAIN_START, events });
    const { before, after } = sealed.header;
    const asked = {
      streamId: stream,
      writerEpoch: 1,
      from: 1,
      to: events.length,
      prevMac: base64(before),
      mac: base64(after),
    };
    const answer = await this.client.sync.compact.mutate({ ...asked, boot: this.#boot, body: base64(sealed.bytes) });
    if (!("code" in answer) || answer.code !== "OK") throw new Error(JSON.stringify(answer));
  }

  /** Everything of the account, opened: texts as they were sealed. */
  async readAll(): Promise<string> {
    const page = await this.client.sync.pull.query({
      epoch: this.#epoch,
      cursor: 0,
      since: null,
      top: 0,
      limit: 1_000,
    });
    if (!("rows" in page) || page.more) throw new Error(JSON.stringify(page).slice(0, 200));
    const texts: string[] = [];
    for (const row of page.rows) texts.push(...(await this.#read(row)));
    return texts.join("\n");
  }

  async #read(row: PullPage["rows"][number]): Promise<string[]> {
    if (row.row === "record") {
      const opened = valueOf(await openRecord(this.access, bytesOf(row.body), row));
      return [JSON.stringify(opened.body)];
    }
    const stream = row.streamId;
    const answer = await this.client.sync.segments.query({ streamId: stream, after: 0, limit: 200 });
    if ("gone" in answer) return [];
    let held = { writerEpoch: 0, last: 0, tail: CHAIN_START };
    const texts: string[] = [];
    for (const { body } of answer.segments) {
      const place = { stream, writer: row.writer, held, chainAt: () => null };
      const { header, events } = valueOf(await openSegment(this.access, bytesOf(body), place));
      held = { writerEpoch: header.writerEpoch, last: header.to, tail: header.after };
      texts.push(...events.map((event) => Buffer.from(event).toString()));
    }
    return texts;
  }

  async #sealRecord({ kind, id, body, deleted = false }: PlantedRecord) {
    const held = this.#bases.get(`${kind}:${id}`) ?? { version: 0, rev: 0 };
    this.#n += 1;
    const { bytes } = await sealRecord(this.access, { kind, id, rev: held.rev + 1, n: this.#n, deleted, body });
    return { kind, id, base: held.version, body: base64(bytes) };
  }

  async #sealLog({ kind, stream, events }: NonNullable<Pushed["log"]>) {
    const held = this.#logs.get(stream) ?? { kind, last: 0, tail: CHAIN_START };
    const from = held.last + 1;
    const { epoch } = this.access.roster;
    const values = await chainEvents(this.access, { stream, epoch, before: held.tail, from, events });
    const { bytes, header } = await sealSegment(this.access, {
      ...{ stream, writerEpoch: 1, from, before: held.tail, events, values },
    });
    this.#logs.set(stream, { kind, last: header.to, tail: header.after });
    const chain = { prevMac: base64(header.before), mac: base64(header.after) };
    return { log: { streamId: stream, kind, writerEpoch: 1, from, lens: [bytes.length], ...chain }, blob: bytes };
  }

  #deletion(stream: string) {
    const held = this.#logs.get(stream);
    if (held === undefined) throw new Error("no such log");
    const mac = base64(held.tail);
    const at = { streamId: stream, kind: held.kind, writerEpoch: 1, from: held.last + 1 };
    return { ...at, lens: [], prevMac: mac, mac, deleted: true as const };
  }
}
