import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listSessions, resolveSession, viewSession } from "./read-sessions.ts";
import { makeStore, type TestStore } from "./session-store.test-kit.ts";

let s: TestStore;
const context = { deviceId: "device", deviceName: "laptop" };

beforeEach(() => {
  s = makeStore();
});
afterEach(() => s.close());

const list = (over = {}) => listSessions(s.store, { limit: 50, ...over }, context);
const ids = (over = {}) => list(over).sessions.map((session) => session.id);
const minute = (n: number) => `2026-01-01T00:${String(n).padStart(2, "0")}:00.000Z`;

describe("the list", () => {
  test("goes page by page from the newest; what is added meanwhile shifts nothing and nothing comes twice", () => {
    const all = Array.from({ length: 7 }, (_, n) => s.add({ createdAt: minute(Math.floor(n / 2)) }));
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = list({ limit: 3, ...(cursor === null ? {} : { cursor }) });
      seen.push(...page.sessions.map((session) => session.id));
      cursor = page.nextCursor;
      if (seen.length === 3) s.add({ createdAt: minute(59) });
    } while (cursor !== null);
    expect([...seen].sort()).toEqual([...all].sort());
    expect(new Set(seen).size).toBe(seen.length);
  });

  test("C092: a row that cannot be read is counted and hides no other", () => {
    const [good, badJson, badAgent, badShape] = [s.add(), s.add(), s.add(), s.add()];
    s.store.prepare("update sessions set usage = '{broken' where id = ?").run(badJson);
    s.store.prepare("update sessions set agent = 'robot' where id = ?").run(badAgent);
    s.store.prepare("update sessions set diff = '[1]' where id = ?").run(badShape);
    const page = list();
    expect(page.sessions.map((session) => session.id)).toEqual([good]);
    expect(page.unreadable).toBe(3);
    expect(viewSession(s.store, badJson ?? "", context)).toBeNull();
  });

  test("filters by status, repository, device, day and words, and takes wildcards in words as letters", () => {
    const old = s.add({ title: "fix 100% of it", createdAt: minute(1) });
    const fresh = s.add({ title: "fix 100 of it", createdAt: minute(9) });
    s.store.prepare("update sessions set status = 'awaiting_approval' where id = ?").run(fresh);
    expect(ids({ status: ["queued"] })).toEqual([old]);
    expect(ids({ since: minute(5) })).toEqual([fresh]);
    expect(ids({ search: "100%" })).toEqual([old]);
    expect(ids({ search: "FIX" })).toEqual([fresh, old]);
    expect(ids({ repoKey: "other" })).toEqual([]);
    expect(ids({ deviceId: "device" })).toHaveLength(2);
  });

  test("a cursor that is not ours finds nothing instead of everything again", () => {
    s.add();
    expect(ids({ cursor: "!!" })).toEqual([]);
  });
});

describe("a person's short name", () => {
  test("a UUID, four characters of it, a branch, @last, @waiting", () => {
    const first = s.add({ id: "aaaa1111-0000-4000-8000-000000000001", branch: "codehands/one" });
    const last = s.add({ id: "bbbb2222-0000-4000-8000-000000000002" });
    const found = (ref: string) => resolveSession(s.store, ref);
    for (const ref of [first, "aaaa", "AAAA1111-", "codehands/one"])
      expect(found(ref)).toEqual({ ok: true, sessionId: first });
    expect(found("@last")).toEqual({ ok: true, sessionId: last });
    expect(found("@waiting")).toEqual({ ok: false, code: "not_found", candidates: [] });
    s.store.prepare("update sessions set status = 'awaiting_approval' where id = ?").run(first);
    expect(found("@waiting")).toEqual({ ok: true, sessionId: first });
  });

  test("three characters, wildcards and an unknown name find nothing; two that fit are both named", () => {
    const one = s.add({ id: "aaaa1111-0000-4000-8000-000000000001" });
    const two = s.add({ id: "aaaa2222-0000-4000-8000-000000000002" });
    for (const ref of ["aaa", "____", "%%%%", "cccc", ""])
      expect(resolveSession(s.store, ref)).toMatchObject({ code: "not_found" });
    expect(resolveSession(s.store, "aaaa")).toEqual({ ok: false, code: "ambiguous", candidates: [two, one] });
  });
});
