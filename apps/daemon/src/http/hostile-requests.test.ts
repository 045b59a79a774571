import { createLocalRouter } from "@codehands/api/local";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type RawRequest, rawBytes, rawRequest } from "../../../../test/kit/raw-request.ts";
import { memoryLog, memoryPorts, SESSION_ID } from "./memory-ports.test-kit.ts";
import { type OpenHttp, openHttp } from "./open-http.ts";

const TOKEN = "5".repeat(43);
const memory = memoryPorts();
const log = memoryLog();
let http: OpenHttp;

beforeAll(async () => {
  const opened = await openHttp({ ports: memory.ports, log, port: 0, token: TOKEN, version: "0.1.0" });
  if (!opened.ok) throw new Error(opened.reason);
  http = opened.http;
});
afterAll(() => http.close());
beforeEach(() => {
  memory.calls.length = 0;
  log.lines.length = 0;
});

const BEARER = { authorization: `Bearer ${TOKEN}` };
const JSON_TYPE = { "content-type": "application/json" };
const watch = `/trpc/sessions.watch?input=${encodeURIComponent(JSON.stringify({ sessionId: SESSION_ID }))}`;

/** Every call that the router has, so that a new one is covered by itself. Only streams come as GET. */
const CALLS = Object.keys(createLocalRouter()._def.procedures).filter((name) => name !== "sessions.watch");
/** Every route: all calls, the stream, a query as GET, paths that nobody serves. `/hello` has its own test. */
const ROUTES: { method: "GET" | "POST"; path: string }[] = [
  ...CALLS.map((name) => ({ method: "POST" as const, path: `/trpc/${name}` })),
  { method: "GET", path: "/trpc/sessions.list?input=%7B%7D" },
  { method: "GET", path: watch },
  { method: "POST", path: "/trpc/no.such" },
  { method: "GET", path: "/" },
  { method: "GET", path: "/assets/app.js" },
  { method: "POST", path: "/api/anything" },
];

type Headers = Record<string, string | string[]>;
interface Attack {
  name: string;
  expected: number[];
  headers: (port: number) => Headers;
  path?: (path: string) => string;
  method?: string;
  body?: string;
}

const host = (port: number): Headers => ({ host: `127.0.0.1:${port}` });
const full = (port: number): Headers => ({ ...host(port), ...BEARER, ...JSON_TYPE });
const withHost =
  (value: string): Attack["headers"] =>
  () => ({ ...BEARER, ...JSON_TYPE, host: value });
const plus =
  (extra: Headers): Attack["headers"] =>
  (port) => ({ ...full(port), ...extra });
const without =
  (name: string, extra: Headers = {}): Attack["headers"] =>
  (port) => {
    const { [name]: _gone, ...rest } = full(port);
    return { ...rest, ...extra };
  };

const ATTACKS: Attack[] = [
  // Rebinding: the browser believes evil.example is us, so it sends no foreign Origin.
  ...[
    "evil.example",
    "evil.example:7433",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "0.0.0.0",
    "[::]",
    "192.168.0.7",
    "127.0.0.1",
    "localhost",
    "localhost:1",
    "127.1",
    "2130706433",
    "user@127.0.0.1",
    "",
  ].map((value) => ({ name: `host ${value || "(empty)"}`, expected: [400, 403], headers: withHost(value) })),
  { name: "no host", expected: [400, 403], headers: () => ({ ...BEARER, ...JSON_TYPE }) },
  { name: "our port with a dot", expected: [403], headers: (port) => ({ ...full(port), host: `localhost.:${port}` }) },
  // Foreign pages, with and without a good Host.
  ...[
    "http://evil.example",
    "https://evil.example",
    "null",
    "file://",
    "",
    "http://127.0.0.1",
    "http://localhost:1",
    "chrome-extension://abc",
    "http://127.0.0.1.evil.example",
  ].map((origin) => ({ name: `origin ${origin || "(empty)"}`, expected: [403], headers: plus({ origin }) })),
  {
    name: "https origin of our own port",
    expected: [403],
    headers: (port) => ({ ...full(port), origin: `https://127.0.0.1:${port}` }),
  },
  {
    name: "origin of the sibling name",
    expected: [403],
    headers: (port) => ({ ...full(port), origin: `http://localhost:${port}` }),
  },
  {
    name: "two origins",
    expected: [400, 403],
    headers: (port) => ({ ...full(port), origin: [`http://127.0.0.1:${port}`, "http://evil.example"] }),
  },
  ...["cross-site", "same-site", "bogus", ""].map((site) => ({
    name: `sec-fetch-site ${site || "(empty)"}`,
    expected: [403],
    headers: plus({ "sec-fetch-site": site }),
  })),
  // C111, C113, C129: on the same machine, but without the token.
  { name: "C113 no token, no origin", expected: [401], headers: without("authorization") },
  {
    name: "C129 another local user without the token",
    expected: [401],
    headers: without("authorization", { "sec-fetch-site": "none" }),
  },
  ...[
    "Bearer",
    "Bearer ",
    `Bearer ${"6".repeat(43)}`,
    `Bearer ${TOKEN}6`,
    `Bearer ${TOKEN.slice(1)}`,
    `Basic ${TOKEN}`,
    TOKEN,
    "Bearer null",
    `Bearer ${TOKEN} x`,
  ].map((authorization, index) => ({
    name: `wrong token ${index}`,
    expected: [401],
    headers: plus({ authorization }),
  })),
  {
    name: "two authorizations",
    expected: [400, 401],
    headers: plus({ authorization: [`Bearer ${"6".repeat(43)}`, `Bearer ${TOKEN}`] }),
  },
  { name: "the token as a cookie", expected: [401], headers: without("authorization", { cookie: `token=${TOKEN}` }) },
  // C116: a token in an address, even the right one, beside the header or instead of it.
  ...["token", "access_token", "t", "connectionParams", "x"].map((name) => ({
    name: `C116 token in the query as ${name}`,
    expected: [400],
    headers: without("authorization"),
    path: (path: string) => `${path}${path.includes("?") ? "&" : "?"}${name}=${TOKEN}`,
  })),
  {
    name: "C116 token in the query beside the header",
    expected: [400],
    headers: full,
    path: (path) => `${path}${path.includes("?") ? "&" : "?"}token=anything`,
  },
  // C128: addresses that a parser may read otherwise than we do.
  ...["//", "/%5c..%5c", "/..%2f", "/./", "/../", "/%2e%2e/", "/\\", "/%00", "http://127.0.0.1/", "*"].map(
    (before) => ({
      name: `C128 target ${before}`,
      expected: [400, 404],
      headers: full,
      path: (path: string) => (before === "*" ? "*" : `${before}${path.slice(1)}`),
    }),
  ),
  ...["OPTIONS", "PUT", "DELETE", "PATCH", "HEAD", "TRACE", "PROPFIND"].map((method) => ({
    name: `method ${method}`,
    expected: [405],
    headers: full,
    method,
  })),
  {
    name: "preflight of a foreign page",
    expected: [403],
    headers: plus({ origin: "http://evil.example", "access-control-request-method": "POST" }),
    method: "OPTIONS",
  },
  // C114, C128: bodies that a page can send without asking first.
  ...[
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/plain; application/json",
    "application/jsonx",
    "",
    "application/json, text/plain",
  ].map((type) => ({
    name: `C114 body of type ${type || "(none)"}`,
    expected: [415],
    method: "POST",
    headers: without("content-type", type === "" ? {} : { "content-type": type }),
    body: "{}",
  })),
  {
    name: "body without a length",
    expected: [411],
    method: "POST",
    headers: plus({ "transfer-encoding": "chunked" }),
    body: "{}",
  },
  {
    name: "C080 body larger than we parse",
    expected: [413],
    method: "POST",
    headers: plus({ "content-length": String(9 * 1024 ** 2) }),
  },
  { name: "GET with a body", expected: [400], method: "GET", headers: plus({ "content-length": "2" }), body: "{}" },
];

describe("G15 requests that the daemon refuses, on every route", () => {
  it("the matrix is as large as promised", () => {
    expect(ATTACKS.length).toBeGreaterThanOrEqual(40);
    expect(CALLS).toEqual(
      expect.arrayContaining(["sessions.approve", "settings.set", "repos.trust", "health.shutdown"]),
    );
  });

  it.each(ATTACKS)("C111 $name", async (attack) => {
    for (const route of ROUTES) {
      const path = attack.path?.(route.path) ?? route.path;
      const body = attack.body ?? (route.method === "POST" && attack.method === undefined ? "{}" : undefined);
      const headers = attack.headers(http.port);
      if (body !== undefined && headers["transfer-encoding"] === undefined && headers["content-length"] === undefined) {
        headers["content-length"] = String(Buffer.byteLength(body));
      }
      const sent: RawRequest = {
        port: http.port,
        path,
        method: attack.method ?? route.method,
        headers,
        ...(body === undefined ? {} : { body }),
      };
      const answer = await rawRequest(sent);
      expect(attack.expected, `${sent.method} ${path}`).toContain(answer.status);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
      expect(answer.headers["x-content-type-options"] ?? "absent by Node's own 400").toMatch(/nosniff|absent/);
      expect(answer.body).not.toContain(TOKEN);
      expect(answer.body).not.toMatch(/\bat .+:\d+:\d+/);
    }
    expect(memory.calls).toEqual([]);
    expect(JSON.stringify(log.lines)).not.toContain(TOKEN);
  });

  it("/hello needs host and origin, but no token", async () => {
    const nonce = `${http.port}.${"a".repeat(32)}`;
    const ask = (headers: Headers) => rawRequest({ port: http.port, path: `/hello?nonce=${nonce}`, headers });
    expect((await ask(host(http.port))).status).toBe(200);
    expect((await ask({ host: "evil.example" })).status).toBe(403);
    expect((await ask({ ...host(http.port), origin: "http://evil.example" })).status).toBe(403);
    expect((await ask({ ...host(http.port), "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await rawRequest({ port: http.port, path: "/hello?nonce=1.aaaa", headers: host(http.port) })).status).toBe(
      400,
    );
    expect((await rawRequest({ port: http.port, path: "/hello/", headers: host(http.port) })).status).toBe(401);
  });

  it.each([
    "GET / HTTP/1.0\r\n\r\n",
    "GET http://evil.example/trpc/sessions.list HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    "POST /trpc/sessions.list HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
    "POST /trpc/sessions.list HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n",
    "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    "\x16\x03\x01\x02\x00",
  ])("bytes that are no request of ours reach nothing: %j", async (bytes) => {
    expect(await rawBytes(http.port, bytes)).toMatch(/^$|^HTTP\/1\.1 4\d\d /);
    expect(memory.calls).toEqual([]);
  });

  it("C113 an upgrade to a web socket is no way around the token", async () => {
    const ask = (extra: string) =>
      rawBytes(
        http.port,
        `GET / HTTP/1.1\r\nHost: 127.0.0.1:${http.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${extra}\r\n`,
      );
    expect(await ask("")).toMatch(/^HTTP\/1\.1 401 /);
    expect(await ask("Origin: http://evil.example\r\n")).toMatch(/^HTTP\/1\.1 403 /);
  });
});
