import { randomUUID } from "node:crypto";
import type { RosterPage } from "@codehands/api/cloud";
import { RECORD_KINDS, type Segment } from "@codehands/contracts";
import { toBase64url } from "@codehands/vault";
import { expect, test } from "vitest";
import { clientStage } from "../kit/client-devices.ts";
import { type FaultyFetch, openFaultyFetch } from "../kit/faulty-fetch.ts";
import { altered, lieInPages } from "../kit/lying-cloud.ts";
import {
  appendLines,
  followOn,
  linesOn,
  pairWith,
  signUpWith,
  type TestDevice,
  waitForRecord,
  writeRecord,
} from "../kit/open-client-device.ts";
import { fetchFromOwnAddress } from "../kit/open-cloud-process.ts";
import { until } from "../kit/temp-home.ts";

const KIND = RECORD_KINDS.session;
const stage = clientStage();

/** An owner, and a reader to whom the cloud can lie. */
async function ownerAndReader(): Promise<{ owner: TestDevice; reader: TestDevice; net: FaultyFetch; id: string }> {
  const net = openFaultyFetch(fetchFromOwnAddress());
  const owner = await stage.open("owner");
  await signUpWith(owner, stage.cloud.url);
  const reader = await stage.open("reader", { fetch: net.fetch });
  await pairWith(owner, reader, stage.cloud.url);
  const id = randomUUID();
  await writeRecord(owner, { kind: KIND, id, body: { title: "first" } });
  await waitForRecord(reader, { kind: KIND, id });
  return { owner, reader, net, id };
}

const held = ({ store }: TestDevice, id: string) => store.data.records.get(`${KIND}:${id}`);

test("V15 V16 an altered record replaces nothing, is put aside and told in plain words", async () => {
  const { owner, reader, net, id } = await ownerAndReader();
  lieInPages(net, (row) => (row.row === "record" && row.id === id ? altered(row, 200) : row));
  await writeRecord(owner, { kind: KIND, id, body: { title: "second" } });
  await until(() => held(reader, id)?.quarantine !== null);
  expect(held(reader, id)?.body).toContain("first");
  const { refused } = await reader.device.sync.status();
  expect(refused).toEqual([
    { what: `session ${id}`, code: "BAD_SIGNATURE", reason: expect.stringContaining("nothing here was changed") },
  ]);
  // The cloud thinks better of it.
  net.lie("sync.pull", null);
  net.lie("sync.push", null);
  await writeRecord(owner, { kind: KIND, id, body: { title: "third" } });
  await until(() => held(reader, id)?.body?.includes("third") ?? false);
  expect((await reader.device.sync.status()).refused).toEqual([]);
});

test("V15 columns that say something else than the seal, and a deletion that nobody signed, change nothing", async () => {
  const { owner, reader, net, id } = await ownerAndReader();
  lieInPages(net, (row) => (row.row === "record" && row.id === id ? { ...row, deleted: true } : row));
  await writeRecord(owner, { kind: KIND, id, body: { title: "second" } });
  await until(() => held(reader, id)?.quarantine === "WRONG_PLACE");
  expect(held(reader, id)).toMatchObject({ deleted: false, body: expect.stringContaining("first") });
});

test("V22 an older version of a record under a newer number is no newer one", async () => {
  const { owner, reader, net, id } = await ownerAndReader();
  const old = held(reader, id)?.base;
  if (!old) throw new Error("the row is not known");
  lieInPages(net, (row) =>
    row.row === "record" && row.id === id ? { ...old, row: "record", version: row.version } : row,
  );
  await writeRecord(owner, { kind: KIND, id, body: { title: "second" } });
  await until(async () => reader.store.data.state.top >= (held(owner, id)?.base?.version ?? Number.POSITIVE_INFINITY));
  // What is held was the first version; that it is still the first shows between two devices (V24).
  await until(async () => (await reader.device.sync.status()).suspicions.length > 0);
  const third = await stage.open("third", { fetch: fetchFromOwnAddress() });
  await pairWith(owner, third, stage.cloud.url);
  await waitForRecord(third, { kind: KIND, id });
  const { suspicions } = await reader.device.sync.status();
  const ownerId = owner.device.writing()?.deviceId;
  expect(suspicions).toContainEqual({
    code: "WITHHELD",
    what: ownerId,
    text: expect.stringContaining("does not deliver"),
  });
});

test("V22 a record that went back behind what is held is refused", async () => {
  const { owner, reader, net, id } = await ownerAndReader();
  const old = held(reader, id)?.base;
  await writeRecord(owner, { kind: KIND, id, body: { title: "second" } });
  await until(() => held(reader, id)?.body?.includes("second") ?? false);
  if (!old) throw new Error("the row is not known");
  lieInPages(net, (row) =>
    row.row === "record" && row.id === id ? { ...old, row: "record", version: row.version } : row,
  );
  await writeRecord(owner, { kind: KIND, id, body: { title: "third" } });
  await until(() => held(reader, id)?.quarantine === "ROLLBACK");
  expect(held(reader, id)?.body).toContain("second");
  expect((await reader.device.sync.status()).refused[0]?.reason).toContain("Kept the newer one");
});

test("V24 rows that are kept back show, and stop obedience until a person has looked", async () => {
  const { owner, reader, net, id } = await ownerAndReader();
  expect(await reader.device.sync.now()).toMatchObject({ suspicions: [] });
  lieInPages(net, (row) => (row.row === "record" && row.id === id ? null : row));
  await writeRecord(owner, { kind: KIND, id, body: { title: "second" } });
  await until(async () => (await reader.device.sync.status()).suspicions.length > 0, 40);
  const told = await reader.device.sync.status();
  expect(told.suspicions[0]).toMatchObject({
    code: "WITHHELD",
    text: expect.stringContaining("Look before you approve"),
  });
  const authority = reader.device.authority();
  const command = { kind: RECORD_KINDS.command, id: randomUUID(), body: {} };
  await writeRecord(owner, command);
  await waitForRecord(reader, command);
  const record = reader.store.data.records.get(`${command.kind}:${command.id}`);
  if (!record || !authority) throw new Error("it was not received");
  const me = reader.device.writing()?.deviceId ?? "";
  const asked = {
    id: command.id,
    sessionId: null,
    targetDeviceId: me,
    senderDeviceId: record.writer,
    payload: { kind: "clean" as const },
    expects: { status: [] },
    incarnation: (await reader.account.load())?.incarnation ?? null,
    at: new Date().toISOString(),
  };
  expect(authority.judge(record, asked, null)).toMatchObject({ ok: false, wait: true });
  const looked = await reader.device.sync.acknowledge();
  expect(looked.suspicions).toEqual([]);
  await until(() => authority.judge(record, asked, null).ok);
});

test("V15 V20 an altered segment blocks its log, keeps what is held, and is told", async () => {
  const { owner, reader, net, id } = await ownerAndReader();
  await appendLines(owner, id, ['{"id":"e1"}']);
  await followOn(reader, id, owner);
  await until(() => linesOn(reader, id).length === 1);
  net.lie("sync.segments", (reply: { segments?: Segment[] }) => ({
    segments: reply.segments?.map((each) => altered(each, 150)) ?? [],
  }));
  await appendLines(owner, id, ['{"id":"e2"}']);
  await until(async () => (await reader.device.sync.status()).refused.length > 0);
  expect((await reader.device.sync.status()).refused[0]).toMatchObject({ what: `events of session ${id}` });
  expect(linesOn(reader, id)).toEqual(['{"id":"e1"}']);
  net.lie("sync.segments", null);
  await appendLines(owner, id, ['{"id":"e3"}']);
  await until(() => linesOn(reader, id).length === 3);
});

test("V9 another vault, another history and a shorter list stop the sync with a sentence, and keep everything", async () => {
  const lies: [string, (page: RosterPage) => RosterPage, string][] = [
    ["VAULT_CHANGED", (page) => ({ ...page, vault: toBase64url(new Uint8Array(16)) }), "another vault"],
    [
      "EQUIVOCATION",
      (page) => ({ ...page, statements: page.statements.map((each) => ({ ...each, body: altered(each, 40).body })) }),
      "different histories",
    ],
    ["ROLLBACK", (page) => ({ ...page, statements: page.statements.slice(0, 1), seq: 0 }), "older version"],
  ];
  for (const [code, change, words] of lies) {
    const { owner, reader, net, id } = await ownerAndReader();
    net.lie("roster.get", change);
    await reader.restart();
    await until(async () => (await reader.device.sync.status()).state === "stopped");
    expect((await reader.account.load())?.stopped, code).toBe(code);
    expect((await reader.device.sync.status()).error, code).toContain(words);
    expect(await reader.device.account.status(), code).toMatchObject({ state: "stopped" });
    expect(held(reader, id)?.body, code).toContain("first");
    // It stands still, also after a restart, until a person says otherwise.
    net.lie("roster.get", null);
    await reader.restart();
    expect((await reader.device.sync.status()).state, code).toBe("stopped");
    await reader.device.sync.resume();
    await writeRecord(owner, { kind: KIND, id, body: { title: "second" } });
    await until(() => held(reader, id)?.body?.includes("second") ?? false);
  }
});

test("V29 V30 a cloud that puts its own offer between the two is found out by the digits", async () => {
  const { owner } = await ownerAndReader();
  const net = openFaultyFetch(fetchFromOwnAddress());
  const newcomer = await stage.open("newcomer", { fetch: net.fetch });
  net.lie("pairing.poll", (polled: { state: string; msgO?: string }) => {
    if (polled.state !== "offered" || polled.msgO === undefined) return polled;
    const offer = JSON.parse(Buffer.from(polled.msgO, "base64url").toString("utf8")) as Record<string, string>;
    const other = JSON.stringify({ ...offer, nonce: toBase64url(new Uint8Array(32)) });
    return { ...polled, msgO: Buffer.from(other).toString("base64url") };
  });
  const begun = await newcomer.device.pair.begin({ cloudUrl: stage.cloud.url });
  if (!begun.ok) throw new Error(begun.reason);
  const { pairingId, userCode } = begun;
  await owner.device.pair.lookUp({ code: userCode });
  const shown = await newcomer.device.pair.state(pairingId);
  if (shown.state !== "digits") throw new Error(JSON.stringify(shown));
  // What it sealed was bound to the other offer: the owner cannot even open it.
  expect(await owner.device.pair.approve({ pairingId, digits: shown.digits })).toMatchObject({ ok: false });
  expect(await newcomer.device.pair.state(pairingId)).toMatchObject({ state: "dead" });
  expect(await newcomer.keys.load()).toBeNull();
});
