import { describe, expect, test } from "vitest";
import {
  checkBody,
  checkOrigin,
  checkPath,
  checkSite,
  countConnections,
  pathOf,
  readHeaders,
  refuseRequest,
  SECURITY_HEADERS,
} from "./http.ts";

const withHeaders =
  (headers: Record<string, string>) =>
  (name: string): string | undefined =>
    headers[name];
const statusOf = (verdict: { status: number } | null): number | null => verdict?.status ?? null;

describe("what every server of ours holds requests against", () => {
  test("a header that decides something is there once, whatever its spelling", () => {
    const read = readHeaders(["HOST", "a", "Accept", "x", "accept", "y"]);
    expect(read.ok && [read.header("host"), read.header("accept"), read.header("origin")]).toEqual([
      "a",
      "x",
      undefined,
    ]);
    for (const name of [
      "host",
      "origin",
      "sec-fetch-site",
      "authorization",
      "content-type",
      "content-length",
      "cookie",
    ])
      expect(readHeaders([name, "a", name.toUpperCase(), "a"])).toMatchObject({ ok: false, status: 400 });
  });

  test.each([
    [undefined, null],
    ["http://ours", null],
    ["HTTP://OURS", null],
    ["null", 403],
    ["http://theirs", 403],
    ["", 403],
  ])("origin %s → %s", (origin, status) => {
    const header = withHeaders(origin === undefined ? {} : { origin });
    expect(statusOf(checkOrigin(header, (each) => each === "http://ours"))).toBe(status);
  });

  test.each([
    [undefined, null],
    ["none", null],
    ["same-origin", null],
    ["same-site", 403],
    ["cross-site", 403],
  ])("sec-fetch-site %s → %s", (site, status) => {
    expect(statusOf(checkSite(withHeaders(site === undefined ? {} : { "sec-fetch-site": site })))).toBe(status);
  });

  test("an address has one spelling", () => {
    for (const target of ["/", "/trpc/a.b?x=//y#z", "/a/..b"]) expect(checkPath(target)).toBe(null);
    const odd = [
      "",
      "*",
      "http://x/",
      "//x",
      "/a//b",
      "/a\\b",
      "/a%5cb",
      "/a%2Fb",
      "/a%00",
      "/%2525",
      "/./a",
      "/a/..",
      "/%2e",
    ];
    for (const target of odd) expect([target, statusOf(checkPath(target))]).toEqual([target, 404]);
    expect(pathOf("/a?b#c")).toBe("/a");
  });

  test("C080 a body is JSON of a known, bounded length, and only POST has one", () => {
    const json = { "content-type": "application/json; charset=utf-8" };
    const status = (method: string, headers: Record<string, string>) =>
      statusOf(checkBody(method, withHeaders(headers), 100));
    expect(status("GET", {})).toBe(null);
    expect(status("GET", { "content-length": "0" })).toBe(null);
    expect(status("GET", { "content-length": "1" })).toBe(400);
    expect(status("GET", { "transfer-encoding": "chunked" })).toBe(400);
    expect(status("PUT", { ...json, "content-length": "1" })).toBe(405);
    expect(status("POST", { "content-type": "text/plain", "content-length": "1" })).toBe(415);
    expect(status("POST", json)).toBe(411);
    for (const length of ["-1", "1e3", "", "0x1"])
      expect(status("POST", { ...json, "content-length": length })).toBe(411);
    expect(status("POST", { ...json, "content-length": "1", "transfer-encoding": "chunked" })).toBe(411);
    expect(status("POST", { ...json, "content-length": "101" })).toBe(413);
    expect(status("POST", { ...json, "content-length": "100" })).toBe(null);
  });

  test("a refusal says why, how long it is in bytes, and ends the connection", () => {
    const written: unknown[] = [];
    const outgoing = {
      writeHead: (status: number, headers: object) => written.push([status, headers]),
      end: (body: string) => written.push(body),
    };
    refuseRequest(outgoing, { status: 401, message: "Wörter" });
    const common = { ...SECURITY_HEADERS, "content-type": "application/json", connection: "close" };
    const body = '{"error":"Wörter"}';
    const length = Buffer.byteLength(body);
    expect(written).toEqual([[401, { ...common, "www-authenticate": "Bearer", "content-length": length }], body]);
    refuseRequest(outgoing, { status: 404, message: "" });
    expect(written[2]).toEqual([404, { ...common, "content-length": 12 }]);
  });
});

/** Something that closes when it is told to. */
function closable() {
  const listeners: (() => void)[] = [];
  return {
    once: (_event: "close", listener: () => void) => listeners.push(listener),
    close: () => {
      for (const listener of listeners.splice(0)) listener();
    },
  };
}

describe("what is open on a server", () => {
  const open = (type: string) => {
    const said: string[] = [];
    const socket = {
      ...closable(),
      bytesRead: 0,
      destroy: () => said.push("destroy"),
      destroySoon: () => void said.push("soon"),
    };
    const answer = {
      ...closable(),
      headersSent: false,
      getHeader: () => type,
      setHeader: (name: string, value: string) => said.push(`${name}: ${value}`),
    };
    return { said, socket, answer };
  };

  test("streams and answers are told apart, and what closed is forgotten", () => {
    const count = countConnections();
    const [stream, call] = [open("text/event-stream; charset=utf-8"), open("application/json")];
    for (const one of [stream, call]) {
      count.connected(one.socket);
      count.asked(one, one.answer);
    }
    expect([count.streams(), [...count.answering()], count.sockets.size]).toEqual([1, [call.socket], 2]);
    for (const one of [stream, call]) one.answer.close();
    stream.socket.close();
    expect([count.streams(), count.answering().size, [...count.sockets]]).toEqual([0, 0, [call.socket]]);
    expect([stream.said, call.said]).toEqual([[], []]);
  });

  test("at the end a connection goes with its answer, and a new answer says so", () => {
    const count = countConnections();
    const [before, after] = [open("application/json"), open("application/json")];
    count.asked(before, before.answer);
    count.finish();
    count.asked(after, after.answer);
    before.answer.close();
    const refused = open("application/json");
    refused.answer.headersSent = true;
    count.asked(refused, refused.answer);
    expect([before.said, after.said, refused.said]).toEqual([["soon"], ["connection: close"], []]);
  });

  test("idle is what nothing came on, or nothing since its last answer", () => {
    const count = countConnections();
    const [silent, half, answered, asking, next] = ["a", "b", "c", "d", "e"].map(open);
    for (const one of [silent, half, answered, asking, next]) {
      if (one === undefined) throw new Error("nothing opened");
      count.connected(one.socket);
      if (one !== silent) one.socket.bytesRead = 100;
      if (one !== silent && one !== half) count.asked(one, one.answer);
      if (one === answered || one === next) one.answer.close();
      if (one === next) one.socket.bytesRead = 110;
    }
    count.endIdle();
    const saidBy = [silent, half, answered, asking, next].map((one) => one?.said);
    expect(saidBy).toEqual([["soon"], [], ["soon"], [], []]);
  });

  test("at the end an answer that waits behind another on its connection is given too", () => {
    const count = countConnections();
    const [first, second] = [open("application/json"), open("application/json")];
    count.asked(first, first.answer);
    count.asked(first, second.answer);
    count.finish();
    first.answer.close();
    expect(first.said).toEqual([]);
    second.answer.close();
    expect(first.said).toEqual(["soon"]);
  });
});
