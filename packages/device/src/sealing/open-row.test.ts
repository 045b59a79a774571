import type { RecordRow } from "@codehands/contracts";
import { RECORD_KINDS } from "@codehands/contracts";
import { recordKey } from "@codehands/sync";
import { sealRecord, toBase64url } from "@codehands/vault";
import { expect, test } from "vitest";
import {
  acknowledged,
  changeStore,
  editedRecord,
  type FoundMember,
  foundMember,
} from "../roster/found-member.test-kit.ts";
import { openRow } from "./open-row.ts";
import { FactsCache } from "./record-memory.ts";

const KIND = RECORD_KINDS.session;

/** A row as an honest cloud tells it, sealed by the one device there is. */
async function rowOf({ member }: FoundMember, id: string, { rev, n }: { rev: number; n: number }): Promise<RecordRow> {
  const sealed = await sealRecord(member.access(), { kind: KIND, id, rev, n, body: { rev, n } });
  const mac = toBase64url(sealed.hash.slice(0, 16));
  const told = { version: n, keyId: 1, deleted: false, writer: member.id, receivedAt: "2026-01-01T00:00:00.000Z" };
  return { kind: KIND, id, rev, mac, body: toBase64url(sealed.bytes), ...told };
}

/** What becomes of a row where this one is held. */
async function meet(
  found: FoundMember,
  row: RecordRow,
  { held = null, reset = false }: { held?: RecordRow | null; reset?: boolean } = {},
) {
  const { store, member } = found;
  await changeStore(store, (draft) => {
    if (reset) draft.state.reset = { since: null, reason: "lineage" };
    if (held)
      draft.putRecord(held, {
        ...acknowledged(editedRecord(member, KIND), { item: held.body, mac: held.mac }, held.version),
        id: held.id,
        rev: held.rev,
      });
  });
  const view = await store.read({ records: [row] });
  const outcome = await openRow(row, { access: member.access(), facts: new FactsCache(), view });
  return outcome.ok ? "ok" : outcome.code;
}

test("V15 each column that says something else than the signed header is refused", async () => {
  const found = await foundMember();
  const { id } = editedRecord(found.member, KIND);
  const row = await rowOf(found, id, { rev: 3, n: 7 });
  expect(await meet(found, row)).toBe("ok");
  const lies: Partial<RecordRow>[] = [
    { rev: 4 },
    { deleted: true },
    { keyId: 2 },
    { writer: editedRecord(found.member, KIND).id },
    { mac: toBase64url(new Uint8Array(16)) },
    { kind: RECORD_KINDS.task },
    { id: editedRecord(found.member, KIND).id },
  ];
  for (const lie of lies) expect(await meet(found, { ...row, ...lie }), JSON.stringify(lie)).toBe("WRONG_PLACE");
});

test("V22 what is older than the held copy, or another one of its age, is refused; a restored cloud is only behind", async () => {
  const { id } = editedRecord((await foundMember()).member, KIND);
  const cases: [{ rev: number; n: number }, { rev: number; n: number }, string][] = [
    [{ rev: 4, n: 8 }, { rev: 3, n: 7 }, "ok"],
    [{ rev: 2, n: 8 }, { rev: 3, n: 7 }, "ROLLBACK"],
    [{ rev: 4, n: 6 }, { rev: 3, n: 7 }, "ROLLBACK"],
    [{ rev: 3, n: 8 }, { rev: 3, n: 7 }, "FORK"],
    [{ rev: 4, n: 7 }, { rev: 3, n: 7 }, "FORK"],
  ];
  for (const [next, before, outcome] of cases) {
    const found = await foundMember();
    const rows = [await rowOf(found, id, next), await rowOf(found, id, before)] as const;
    expect(await meet(found, rows[0], { held: rows[1] }), JSON.stringify([next, before])).toBe(outcome);
  }
  const found = await foundMember();
  const older = await rowOf(found, id, { rev: 2, n: 6 });
  expect(await meet(found, older, { held: await rowOf(found, id, { rev: 3, n: 7 }), reset: true })).toBe("ok");
  expect(recordKey(older)).toBe(`${KIND}:${id}`);
});

test("V22 a name that a cloud gives to other bytes does not speak for the item that has it", async () => {
  const found = await foundMember();
  const { id } = editedRecord(found.member, KIND);
  const [newer, older] = [await rowOf(found, id, { rev: 9, n: 9 }), await rowOf(found, id, { rev: 1, n: 1 })];
  const facts = new FactsCache();
  expect((await facts.of(older.body, newer.mac))?.header.rev).toBe(1);
  expect((await facts.of(newer.body, newer.mac))?.header.rev).toBe(9);
});
