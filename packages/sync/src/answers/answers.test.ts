import { describe, expect, test } from "vitest";
import { answerHello } from "./answer-hello.ts";
import { answerPull, refusePush } from "./answer-pull.ts";

describe("T1c the cloud, hello (S2)", () => {
  const hello = { boots: ["b1", "b2"], boot: "b2" };
  const known = { bootId: "b1", revoked: false };
  const accepted = { reply: { answer: "OK", epoch: "E" }, store: true };
  test("revoked → REVOKED", () =>
    expect(answerHello({ ...known, revoked: true }, hello, "E")).toEqual({
      reply: { answer: "REVOKED" },
      store: false,
    }));
  test("unknown → UNKNOWN", () =>
    expect(answerHello(null, hello, "E")).toEqual({ reply: { answer: "UNKNOWN" }, store: false }));
  test("unknown and register → OK", () =>
    expect(answerHello(null, { ...hello, mode: "register" }, "E")).toEqual(accepted));
  test("the stored boot is an ancestor → OK", () => expect(answerHello(known, hello, "E")).toEqual(accepted));
  test("the same hello again → OK", () =>
    expect(answerHello({ ...known, bootId: "b2" }, hello, "E")).toEqual(accepted));
  test("F35 a boot that is no ancestor → COPY", () =>
    expect(answerHello({ ...known, bootId: "x" }, hello, "E")).toEqual({
      reply: { answer: "COPY", seen: "x" },
      store: false,
    }));
  test("adopt with the boot that was seen → OK", () =>
    expect(answerHello({ ...known, bootId: "x" }, { ...hello, mode: "adopt", seen: "x" }, "E")).toEqual(accepted));
  test("adopt after the other copy went on → COPY", () =>
    expect(answerHello({ ...known, bootId: "y" }, { ...hello, mode: "adopt", seen: "x" }, "E").store).toBe(false));
});

describe("T1d the cloud, pull and push (S4, S9)", () => {
  const account = { epoch: "E", head: 10, purgedTo: 5 };
  const pull = { epoch: "E", cursor: 8, since: 8, top: 9, limit: 100 };
  const lineage = { reset: "lineage", epoch: "E" };
  test("S9 another epoch → lineage", () => expect(answerPull(account, { ...pull, epoch: "F" })).toEqual(lineage));
  test("S9 top beyond the head → lineage", () => expect(answerPull(account, { ...pull, top: 11 })).toEqual(lineage));
  test("S9 since below what was purged → purged", () =>
    expect(answerPull(account, { ...pull, since: 4 })).toEqual({ reset: "purged", epoch: "E" }));
  test("S9 the first page of a snapshot has no since → page", () =>
    expect(answerPull(account, { ...pull, cursor: 0, since: null })).toBe(null));
  test("S9 a later page of a snapshot is judged by its head, not its cursor → page", () =>
    expect(answerPull(account, { ...pull, cursor: 2, since: 9 })).toBe(null));
  test("else a page", () => expect(answerPull(account, pull)).toBe(null));
  test("push of another epoch → lineage", () =>
    expect(refusePush(account, { epoch: "F", boot: "b" }, "b")).toEqual(lineage));
  test("S4 push of another boot → BOOT", () =>
    expect(refusePush(account, { epoch: "E", boot: "a" }, "b")).toEqual({ reset: "boot" }));
  test("push of the stored boot → T1", () => expect(refusePush(account, { epoch: "E", boot: "b" }, "b")).toBe(null));
});
