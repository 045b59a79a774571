import type { Command } from "@codehands/contracts";
import { beforeAll, describe, expect, test } from "vitest";
import { toBase64url } from "../bytes/base64url.ts";
import { foldRoster } from "../roster/fold-roster.ts";
import { makeStatement } from "../roster/make-statement.ts";
import type { Roster } from "../roster/roster.ts";
import { openRecord, sealRecord } from "../sealing/record.ts";
import { AT, buildWorld, codeOf, idOf, must, type World, type WorldDevice } from "../vault-world.test-kit.ts";
import { authorizeCommand, COMMAND_REFUSALS, type CommandScene } from "./authorize-command.ts";

let w: World;
let id: string;
let command: Command;
let scene: CommandScene;
const value = new Uint8Array(16).fill(5);

beforeAll(async () => {
  w = await buildWorld();
  id = await idOf("command");
  command = {
    id,
    sessionId: await idOf("session"),
    targetDeviceId: w.laptop.id,
    senderDeviceId: w.desktop.id,
    payload: { kind: "approve", treeId: "tree" },
    expects: { status: ["awaiting_approval"], treeId: "tree", rev: 4, seq: 7, chain: toBase64url(value) },
    incarnation: "now",
    at: AT,
  };
  const session = {
    status: "awaiting_approval",
    treeId: "tree",
    rev: 4,
    chainAt: (seq: number) => (seq === 7 ? value : null),
  } as const;
  scene = {
    roster: w.rotated,
    me: w.laptop.id,
    incarnation: "now",
    isKnown: () => false,
    session,
    policy: "all",
    suspicions: [],
  };
});

/** Sends it sealed, opens it as the owner does, and says what the owner answers. */
async function send(more: Partial<Command> = {}, sender: WorldDevice = w.desktop, sealedAt: Roster = w.rotated) {
  const body = { ...command, senderDeviceId: sender.id, ...more };
  const sealed = await sealRecord(w.access(sender, sealedAt), { kind: 5, id, rev: 1, n: 1, body });
  return { body, sealed };
}
async function answer(sent: Awaited<ReturnType<typeof send>>, more: Partial<CommandScene> = {}): Promise<string> {
  const roster = more.roster ?? w.rotated;
  const opened = await openRecord({ roster, keys: w.keys }, sent.sealed.bytes, { kind: 5, id });
  if (!opened.ok) return `sealed ${opened.code}`;
  const { header, body } = opened.value;
  return codeOf(authorizeCommand({ header, command: body as Command }, { ...scene, ...more }));
}

describe("commands", () => {
  test("V27 a member with the role command is obeyed", async () => {
    expect(await answer(await send())).toBe("ok");
    expect(await answer(await send({}, w.phone, w.three), { roster: w.three })).toBe("ok");
  });

  test("V27 one forged by the cloud or by a stranger is not even opened", async () => {
    expect(await answer(await send({}, w.mallory))).toBe("sealed UNKNOWN_DEVICE");
    const { sealed, body } = await send();
    const forged = sealed.bytes.slice();
    forged[100] = (forged[100] ?? 0) ^ 1;
    expect(await answer({ body, sealed: { ...sealed, bytes: forged } })).toBe("sealed BAD_SIGNATURE");
  });

  test("V27 of a device that was removed", async () => {
    expect(await answer(await send({}, w.phone, w.three))).toBe("UNKNOWN_DEVICE");
    expect(await answer(await send({}, w.phone, w.rotated))).toBe("sealed UNKNOWN_DEVICE");
  });

  test("V27 of a device that may only read", async () => {
    const lowered = await makeStatement(
      { roster: w.three, at: AT, ops: [{ op: "roles", id: w.phone.id, roles: [] }] },
      w.laptop.signer,
    );
    const roster = must(await foldRoster([lowered], w.three));
    expect(await answer(await send({}, w.phone, w.three), { roster })).toBe("NOT_ALLOWED");
  });

  test("V27 sealed under an older epoch, for another device, known already, for an earlier incarnation", async () => {
    expect(await answer(await send({}, w.desktop, w.three))).toBe("STALE_EPOCH");
    expect(await answer(await send({ targetDeviceId: w.desktop.id }))).toBe("WRONG_PLACE");
    expect(await answer(await send({ senderDeviceId: w.laptop.id }))).toBe("WRONG_PLACE");
    expect(await answer(await send({ id: await idOf("other") }))).toBe("WRONG_PLACE");
    expect(await answer(await send(), { isKnown: (known) => known === id })).toBe("ALREADY_APPLIED");
    expect(await answer(await send({ incarnation: "before" }))).toBe("STALE_COMMAND");
    expect(await answer(await send({ incarnation: null }))).toBe("STALE_COMMAND");
  });

  test("V26 an approval holds only for the session, the tree and the history that were seen", async () => {
    const expects = (more: Partial<Command["expects"]>) => send({ expects: { ...command.expects, ...more } });
    expect(await answer(await expects({ status: ["running"] }))).toBe("STALE_STATUS");
    expect(await answer(await expects({ rev: 3 }))).toBe("STALE_STATUS");
    expect(await answer(await expects({ treeId: "other" }))).toBe("STALE_TREE");
    expect(await answer(await expects({ chain: toBase64url(new Uint8Array(16)) }))).toBe("FORK");
    expect(await answer(await expects({ seq: 8 }))).toBe("FORK");
    expect(await answer(await send({ expects: { status: [], chain: toBase64url(value) } }))).toBe("FORK");
    expect(await answer(await send({ expects: { status: [] } }))).toBe("ok");
    expect(await answer(await send(), { session: null })).toBe("STALE_STATUS");
    expect(await answer(await send({ expects: { status: [] } }), { session: null })).toBe("ok");
  });

  test("V27 V33 a person may leave web pages out, or everybody", async () => {
    const byPage = await send({}, w.phone, w.three);
    expect(await answer(byPage, { roster: w.three, policy: "native" })).toBe("NOT_ALLOWED");
    expect(await answer(byPage, { roster: w.three, policy: "all" })).toBe("ok");
    expect(await answer(await send(), { policy: "native" })).toBe("ok");
    expect(await answer(await send(), { policy: "none" })).toBe("NOT_ALLOWED");
  });

  test("V24 nothing is obeyed while a lie has not been looked at", async () => {
    const lie = { code: "EQUIVOCATION", what: "roster", shownBy: w.desktop.id } as const;
    expect(await answer(await send(), { suspicions: [lie] })).toBe("EQUIVOCATION");
  });

  test("V27 a withdrawn command is none, and each refusal has a word for people", async () => {
    const { sealed } = await send();
    const header = { ...sealed.header, deleted: true };
    expect(codeOf(authorizeCommand({ header, command }, scene))).toBe("WRONG_PLACE");
    expect(COMMAND_REFUSALS.UNKNOWN_DEVICE).toBe("revoked");
    expect(COMMAND_REFUSALS.FORK).toBe("stale_history");
    expect(COMMAND_REFUSALS.STALE_EPOCH).toBeUndefined();
  });
});
