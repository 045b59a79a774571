import type { SessionsPort, SessionView } from "@codehands/api";
import { createReplicaSessions, MemoryDeviceStore } from "@codehands/client";
import { RECORD_KINDS } from "@codehands/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openHome, PERSON, removeHome, type SupervisedHome } from "../supervisor/supervised-home.test-kit.ts";
import { mergePages, mergeSessions } from "./merge-sessions.ts";
import { isOwnSession } from "./session-rows.ts";

const PHONE = "0e0e0e0e-0000-4000-8000-000000000001";
let home: SupervisedHome;
let all: SessionsPort;
let others: MemoryDeviceStore;
beforeEach(async () => {
  home = await openHome();
  others = new MemoryDeviceStore("me");
  const deviceId = home.store.prepare("select value from meta where key = 'device_id'").pluck().get() as string;
  all = mergeSessions({
    own: home.sessions,
    others: createReplicaSessions({
      store: others,
      me: () => ({ deviceId, name: "laptop" }),
      changed: () => {},
      eventsBefore: async () => [],
      clock: () => new Date().toISOString(),
      newId: () => crypto.randomUUID(),
      patienceMs: 0,
    }),
    deviceId: () => deviceId,
    isOwn: (id) => isOwnSession(home.store, id),
    isOwnCommand: () => false,
    repoKeyAt: async () => null,
  });
});
afterEach(async () => {
  await home.close();
  removeHome(home.dir);
});

/** A session of another device as its record tells it. */
async function remember(id: string, over: Partial<SessionView> = {}): Promise<void> {
  const { id: own } = await home.begin(["Template", "finish"]);
  const template = await home.until(own, "awaiting_approval");
  home.store.prepare("update sessions set created_at = '2020-01-01T00:00:00.000Z' where id = ?").run(own);
  const view = { ...template, id, shortId: id.slice(0, 8), device: { id: PHONE, name: "phone" }, lastSeq: 0, ...over };
  const record = {
    ...{ kind: RECORD_KINDS.session, id, rev: 1, body: JSON.stringify({ ...view, tailMac: "" }), deleted: false },
    ...{ writer: PHONE, mac: "m", item: "i", base: null, dirty: "" as const, blocked: null, quarantine: null },
  };
  await others.apply({}, () => ({ changes: [{ op: "record", record }], result: undefined }));
}

const REMOTE = "aaaa0000-0000-4000-8000-000000000001";

describe("all sessions of the account as one", () => {
  it("pages through both by time, each session once, and counts what cannot be read on either side", async () => {
    await remember(REMOTE, { createdAt: "2021-01-01T00:00:00.000Z" });
    await remember("bbbb0000-0000-4000-8000-000000000001", { createdAt: "2019-01-01T00:00:00.000Z" });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await all.list({ limit: 1, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...page.sessions.map((one) => one.createdAt.slice(0, 4)));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(["2021", "2020", "2020", "2019"]);
    const [own, theirs] = [await home.sessions.list({ limit: 9 }), await all.list({ limit: 9 })];
    const broken = mergePages(
      [
        { ...own, unreadable: 2 },
        { ...theirs, unreadable: 3 },
      ],
      { limit: 9 },
    );
    expect([broken.unreadable, broken.sessions.length]).toEqual([5, 4]);
  });

  it("finds a session by its short name wherever it lives, and names all that it may mean", async () => {
    await remember(REMOTE, { status: "awaiting_approval", createdAt: "2030-01-01T00:00:00.000Z" });
    expect(await all.resolve("aaaa")).toEqual({ ok: true, sessionId: REMOTE });
    expect(await all.resolve("@last")).toEqual({ ok: true, sessionId: REMOTE });
    const waiting = await all.resolve("@waiting");
    expect(waiting).toMatchObject({ ok: false, code: "ambiguous", candidates: expect.arrayContaining([REMOTE]) });
    await remember("aaaa1111-0000-4000-8000-000000000001");
    expect(await all.resolve("aaaa")).toMatchObject({ ok: false, code: "ambiguous" });
    expect(await all.resolve(REMOTE)).toEqual({ ok: true, sessionId: REMOTE });
    expect(await all.resolve("ffff")).toMatchObject({ ok: false, code: "not_found" });
  });

  it("asks the owner: what is here is answered here, what is elsewhere waits for its device", async () => {
    await remember(REMOTE);
    const { id } = await home.begin(["Mine", "finish"]);
    await home.until(id, "awaiting_approval");
    expect(await all.get(id)).toMatchObject({ title: "Mine" });
    expect(await all.get(REMOTE)).toMatchObject({ device: { id: PHONE }, remote: expect.anything() });
    expect((await all.events({ sessionId: id, afterSeq: 0, limit: 9 })).events.length).toBeGreaterThan(0);
    expect(await all.reject(home.about(id), PERSON)).toMatchObject({ ok: true, session: { status: "rejected" } });
    const nobody = crypto.randomUUID();
    expect(await all.reject(home.about(nobody), PERSON)).toMatchObject({ ok: false, code: "not_found" });
    const agent = await all.reject({ commandId: crypto.randomUUID(), sessionId: REMOTE, expects: [] }, { runId: "r" });
    expect(agent).toMatchObject({ ok: false, code: "agent_may_not" });
  });
});
