import { RECORD_KINDS } from "@codehands/contracts";
import { expect, test } from "vitest";
import { ME, OtherDevice, replicaWorld, sessionBody, sessionId } from "./other-device.test-kit.ts";
import { createReplicaSessions } from "./replica-sessions.ts";

const DESKTOP = "33333333-0000-4000-8000-000000000003";

test("lists the sessions of other devices, newest first, under their owner's current name", async () => {
  const { store, deps, laptop } = replicaWorld();
  const desktop = new OtherDevice(store, DESKTOP);
  await laptop.introduces({ name: "Ann's laptop" });
  await laptop.session(1, { createdAt: "2026-03-01T09:00:00.000Z" });
  await desktop.session(2, { createdAt: "2026-03-01T10:00:00.000Z", device: { id: ME, name: "desk" } });
  await new OtherDevice(store, ME).session(3);
  const page = await createReplicaSessions(deps).list({ limit: 50 });
  expect(page.sessions.map(({ id, device }) => ({ id, device }))).toEqual([
    // No record of itself yet: the name stands in the session; whose it is, the signature says.
    { id: sessionId(2), device: { id: DESKTOP, name: "desk" } },
    { id: sessionId(1), device: { id: laptop.id, name: "Ann's laptop" } },
  ]);
  expect(page).toMatchObject({ unreadable: 0, nextCursor: null });
});

test("pages by a cursor that new sessions do not shift, also among equal times", async () => {
  const { deps, laptop } = replicaWorld();
  for (let n = 1; n <= 7; n++) await laptop.session(n);
  const port = createReplicaSessions(deps);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await port.list({ limit: 3, ...(cursor === undefined ? {} : { cursor }) });
    seen.push(...page.sessions.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
    await laptop.session(100 + seen.length, { createdAt: "2026-03-01T23:00:00.000Z" });
  } while (cursor !== undefined);
  expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1].map(sessionId));
  expect((await port.list({ limit: 3, cursor: "not ours" })).sessions).toEqual([]);
});

test("filters by status, repository, device, age and text in title or prompt", async () => {
  const { deps, laptop } = replicaWorld();
  await laptop.session(1, { status: "running", title: "Fix the DATE bug" });
  await laptop.session(2, { repo: { key: "other", path: null, remote: null } });
  await laptop.session(3, { createdAt: "2026-02-01T00:00:00.000Z", prompt: "what does 100% mean" });
  const port = createReplicaSessions(deps);
  const ids = async (query: object) => (await port.list({ limit: 50, ...query })).sessions.map(({ id }) => id);
  expect(await ids({ status: ["running"] })).toEqual([sessionId(1)]);
  expect(await ids({ repoKey: "other" })).toEqual([sessionId(2)]);
  expect(await ids({ deviceId: laptop.id })).toHaveLength(3);
  expect(await ids({ deviceId: ME })).toEqual([]);
  expect(await ids({ since: "2026-02-15T00:00:00.000Z" })).toEqual([sessionId(2), sessionId(1)]);
  expect(await ids({ search: " date " })).toEqual([sessionId(1)]);
  expect(await ids({ search: "100%" })).toEqual([sessionId(3)]);
});

test("counts what cannot be read and lists the others all the same", async () => {
  const { deps, laptop } = replicaWorld();
  await laptop.session(1);
  await laptop.session(2, { status: "hibernating" });
  const key = (n: number) => ({ kind: RECORD_KINDS.session, id: sessionId(n) });
  await laptop.writes(key(3), "{ torn");
  await laptop.writes(key(4), {}, { body: null, quarantine: "BAD_SEAL" });
  await laptop.writes(key(5), { forkOf: sessionId(1), forkAt: 3 });
  await laptop.writes(key(6), sessionBody(sessionId(6)), { deleted: true });
  const page = await createReplicaSessions(deps).list({ limit: 50 });
  expect(page.sessions.map(({ id }) => id)).toEqual([sessionId(1)]);
  expect(page.unreadable).toBe(3);
});

test("V22 what cannot be opened leaves the session as it was held", async () => {
  const { deps, laptop } = replicaWorld();
  await laptop.writes({ kind: RECORD_KINDS.session, id: sessionId(1) }, sessionBody(sessionId(1)), {
    quarantine: "ROLLBACK",
  });
  expect(await createReplicaSessions(deps).get(sessionId(1))).toMatchObject({ title: "add PKCE" });
});

test("a session says of itself whatever it likes: its id and its device are those that were signed", async () => {
  const { deps, laptop } = replicaWorld();
  await laptop.writes(
    { kind: RECORD_KINDS.session, id: sessionId(1) },
    sessionBody(sessionId(9), { device: { id: ME, name: "x" } }),
  );
  const view = await createReplicaSessions(deps).get(sessionId(1).toUpperCase());
  expect(view).toMatchObject({ id: sessionId(1), shortId: sessionId(1).slice(0, 8), device: { id: laptop.id } });
});

test("a device that is not signed in shows nothing", async () => {
  const { deps, laptop } = replicaWorld({ me: () => null });
  await laptop.session(1);
  const port = createReplicaSessions(deps);
  expect((await port.list({ limit: 5 })).sessions).toEqual([]);
  expect(await port.get(sessionId(1))).toBeNull();
});

test("finds one by UUID, prefix, branch, @last and @waiting, and says what is ambiguous", async () => {
  const { deps, laptop } = replicaWorld();
  await laptop.session(1, { branch: "codehands/one" });
  await laptop.session(2, { status: "running", createdAt: "2026-03-01T11:30:00.000Z" });
  const { resolve } = createReplicaSessions(deps);
  const one = { ok: true, sessionId: sessionId(1) };
  expect(await resolve(sessionId(1).toUpperCase())).toEqual(one);
  expect(await resolve(" 3f0f0001 ")).toEqual(one);
  expect(await resolve("codehands/one")).toEqual(one);
  expect(await resolve("@waiting")).toEqual(one);
  expect(await resolve("@last")).toEqual({ ok: true, sessionId: sessionId(2) });
  expect(await resolve("3f0f")).toEqual({ ok: false, code: "ambiguous", candidates: [sessionId(2), sessionId(1)] });
  for (const ref of ["3f0", "abcd", "codehands"])
    expect(await resolve(ref)).toEqual({ ok: false, code: "not_found", candidates: [] });
});

test("a record is read anew when it changed, and its age is that of its newest copy", async () => {
  const { deps, laptop } = replicaWorld();
  const port = createReplicaSessions(deps);
  await laptop.session(1);
  expect((await port.list({ limit: 1 })).sessions[0]).toMatchObject({ status: "awaiting_approval" });
  await laptop.session(1, { status: "approved" });
  expect((await port.list({ limit: 1 })).sessions[0]).toMatchObject({ status: "approved" });
});
