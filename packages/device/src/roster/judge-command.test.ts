import { randomUUID } from "node:crypto";
import { type Command, RECORD_KINDS } from "@codehands/contracts";
import { explainCode, type Suspicion } from "@codehands/vault";
import { expect, test } from "vitest";
import type { JudgedSession } from "../device.ts";
import { acknowledged, editedRecord, foundMember } from "./found-member.test-kit.ts";
import { createAuthority, type JudgedHome } from "./judge-command.ts";

const CHAIN = "AAAAAAAAAAAAAAAAAAAAAQ";
const SESSION: JudgedSession = {
  status: "awaiting_approval",
  treeId: "tree",
  rev: 4,
  chainAt: (seq) => (seq === 3 ? CHAIN : null),
};

let looks = 0;
const lookSoon = (): void => void (looks += 1);

/** A command that is obeyed, and what judges it. */
async function obeyed() {
  const { member } = await foundMember();
  const home: { -readonly [K in keyof JudgedHome]: JudgedHome[K] } = {
    member,
    loop: { isSettled: true, lookSoon, suspicions: [] },
    options: {},
  };
  const record = acknowledged(editedRecord(member, RECORD_KINDS.command), { item: "", mac: "m" }, 9);
  const command: Command = {
    id: record.id,
    sessionId: randomUUID(),
    targetDeviceId: member.id,
    senderDeviceId: member.id,
    payload: { kind: "approve", treeId: "tree" },
    expects: { status: ["awaiting_approval"], treeId: "tree", rev: 4, seq: 3, chain: CHAIN },
    incarnation: member.account.incarnation,
    at: "2026-01-01T00:00:00.000Z",
  };
  return { member, home, record, command };
}

test("V26 V27 a command is obeyed for the session, the tree and the history that its sender saw", async () => {
  const { home, record, command } = await obeyed();
  const authority = createAuthority(home);
  expect(authority?.judge(record, command, SESSION)).toEqual({ ok: true });
  const refusals: [Partial<Command>, JudgedSession | null, string, string][] = [
    [{ incarnation: "other" }, SESSION, "stale_command", "STALE_COMMAND"],
    [{}, { ...SESSION, status: "approved" }, "illegal_move", "STALE_STATUS"],
    [{}, { ...SESSION, treeId: "other" }, "stale_tree", "STALE_TREE"],
    [{}, { ...SESSION, chainAt: () => null }, "stale_history", "FORK"],
    [{}, null, "illegal_move", "STALE_STATUS"],
    [{ senderDeviceId: randomUUID() }, SESSION, "not_allowed", "WRONG_PLACE"],
  ];
  for (const [change, session, code, known] of refusals)
    expect(authority?.judge(record, { ...command, ...change }, session), known).toEqual({
      ...{ ok: false, wait: false, code },
      reason: explainCode(known as Parameters<typeof explainCode>[0]),
    });
});

test("V27 V33 a person may leave out web pages, or obey nobody", async () => {
  const { home, record, command } = await obeyed();
  home.options = { commandsFrom: () => "native" };
  expect(createAuthority(home)?.judge(record, command, SESSION)).toEqual({ ok: true });
  home.options = { commandsFrom: () => "none" };
  expect(createAuthority(home)?.judge(record, command, SESSION)).toMatchObject({ wait: false, code: "not_allowed" });
});

test("V24 V27 it waits for a look at what came, for a person, for another seal, and for what cannot be opened", async () => {
  const { home, record, command, member } = await obeyed();
  const authority = createAuthority(home);
  const waits = { ok: false, wait: true };
  home.loop = { isSettled: false, lookSoon, suspicions: [] };
  const before = looks;
  expect(authority?.judge(record, command, SESSION)).toMatchObject(waits);
  // It hurries the look that it waits for.
  expect(looks).toBe(before + 1);
  const lie: Suspicion = { code: "WITHHELD", what: "roster", shownBy: member.id };
  home.loop = { isSettled: true, lookSoon, suspicions: [lie] };
  expect(authority?.judge(record, command, SESSION)).toMatchObject(waits);
  home.loop = { isSettled: true, lookSoon, suspicions: [] };
  const older = { ...record, base: record.base && { ...record.base, keyId: 0 } };
  expect(authority?.judge(older, command, SESSION)).toEqual({ ...waits, reason: explainCode("STALE_EPOCH") });
  for (const change of [{ quarantine: "BAD_SEAL" }, { body: null }, { base: null }, { mac: "other" }])
    expect(authority?.judge({ ...record, ...change }, command, SESSION)).toMatchObject(waits);
  home.member = null;
  expect(authority?.judge(record, command, SESSION)).toMatchObject(waits);
  expect(createAuthority(home)).toBeNull();
});

test("V27 a stranger, and a member that may only read, are refused", async () => {
  const { home, record, command } = await obeyed();
  const writer = randomUUID();
  const other = { ...record, writer, base: record.base && { ...record.base, writer } };
  const refused = createAuthority(home)?.judge(other, { ...command, senderDeviceId: writer }, SESSION);
  expect(refused).toMatchObject({ ok: false, wait: false, code: "revoked" });
});
