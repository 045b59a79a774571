import { RECORD_KINDS } from "@codehands/contracts";
import { expect, test } from "vitest";
import type { Device } from "../device.ts";
import { linkDevice } from "./local-link.ts";
import { commandId, linesOf, macAt, replicaWorld, sessionId } from "./other-device.test-kit.ts";
import { createReplicaSessions } from "./replica-sessions.ts";

const ID = sessionId(1);

async function linked() {
  const { store, deps, laptop } = replicaWorld();
  // What concerns the account is not asked for here.
  const device = { sessions: createReplicaSessions(deps) } as Device;
  await laptop.introduces();
  await laptop.session(1, { lastSeq: 3, tailMac: macAt(ID, 3) });
  await laptop.row(ID, 3);
  await laptop.arrives(ID, linesOf(1, 3));
  const faults: unknown[] = [];
  return { laptop, client: linkDevice({ device, store, onFault: (fault) => faults.push(fault) }), faults };
}

test("the sessions router answers over the replica: list, events, approve, and a stream that ends", async () => {
  const { client, laptop, faults } = await linked();
  expect((await client.sessions.list.query({})).sessions).toMatchObject([
    { id: ID, remote: { heldSeq: 3, warning: null } },
  ]);
  expect((await client.sessions.events.query({ sessionId: ID })).events.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  const frames = client.sessions.watch.subscribe({ sessionId: ID, afterSeq: 2 });
  const next = async () => (await frames.next()).value?.data.kind;
  expect([await next(), await next()]).toEqual(["session", "event"]);
  await laptop.arrives(ID, linesOf(4, 4));
  expect(await next()).toBe("event");
  await frames.return?.();
  const input = { commandId: commandId(1), sessionId: ID, treeId: "b".repeat(40) };
  expect(await client.sessions.approve.mutate(input)).toMatchObject({ ok: true, pending: { state: "queued" } });
  expect(await client.sessions.commandState.query({ commandId: commandId(1) })).toMatchObject({ kind: "approve" });
  expect(faults).toEqual([]);
});

test("repositories are those of the account; what takes a checkout or an agent is refused with a sentence", async () => {
  const { client, laptop } = await linked();
  const repo = (key: string, lastUsedAt: string) => ({ repoKey: key, name: `repo ${key}`, remote: null, lastUsedAt });
  await laptop.writes({ kind: RECORD_KINDS.repo, id: sessionId(70) }, repo("0123456789ab", "2026-01-01"));
  await laptop.writes({ kind: RECORD_KINDS.repo, id: sessionId(71) }, repo("newer", "2026-02-01"));
  await laptop.writes({ kind: RECORD_KINDS.repo, id: sessionId(72) }, "{ torn");
  expect(await client.repos.list.query()).toMatchObject([
    { key: "newer", sessions: 0, path: null },
    { key: "0123456789ab", name: "repo 0123456789ab", sessions: 1 },
  ]);
  await expect(client.repos.trustState.query({ path: "/srv" })).rejects.toMatchObject({
    code: "not_found",
    message: expect.stringContaining("runs no agents"),
  });
  expect(await client.settings.list.query({})).toEqual([]);
  expect(await client.agents.list.query()).toEqual([]);
});
