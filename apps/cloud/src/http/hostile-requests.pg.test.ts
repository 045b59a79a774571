import { createCloudRouter } from "@codehands/api/cloud";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RawRequest, rawBytes, rawRequest } from "../../../../test/kit/raw-request.ts";
import { foundAccount, openTestCloud, type TestAccount, type TestCloud } from "../open-cloud.test-kit.ts";
import { MAX_AUTH_BYTES, MAX_CALL_BYTES } from "./check-request.ts";

let cloud: TestCloud;
let account: TestAccount;
beforeAll(async () => {
  cloud = await openTestCloud();
  account = await foundAccount(cloud.url);
});
afterAll(() => cloud.close());

type Headers = Record<string, string | string[]>;
const own = (): Headers => ({
  host: `127.0.0.1:${cloud.cloud.port}`,
  authorization: `Bearer ${account.device.token}`,
  "content-type": "application/json",
});
const plus = (extra: Headers) => () => ({ ...own(), ...extra });
const without =
  (name: string, extra: Headers = {}) =>
  () => {
    const { [name]: _gone, ...rest } = own();
    return { ...rest, ...extra };
  };

const ROUTES = ["/trpc/accounts.status", "/trpc/sync.push", "/trpc/roster.append", "/auth/sign-in/email"];

interface Attack {
  name: string;
  expected: number;
  headers?: () => Headers;
  path?: (route: string) => string;
  method?: string;
  body?: string | null;
}

const ATTACKS: Attack[] = [
  { name: "no Host of ours", expected: 421, headers: plus({ host: "evil.example" }) },
  { name: "our address with another port", expected: 421, headers: plus({ host: "127.0.0.1:1" }) },
  { name: "a page of another origin", expected: 403, headers: plus({ origin: "http://evil.example" }) },
  { name: "a sandboxed page", expected: 403, headers: plus({ origin: "null" }) },
  { name: "another port as origin", expected: 403, headers: plus({ origin: "http://127.0.0.1:1" }) },
  { name: "a cross-site request", expected: 403, headers: plus({ "sec-fetch-site": "cross-site" }) },
  { name: "a same-site request", expected: 403, headers: plus({ "sec-fetch-site": "same-site" }) },
  { name: "a cookie without an origin", expected: 403, headers: plus({ cookie: "codehands.login=x" }) },
  { name: "two tokens", expected: 400, headers: plus({ authorization: ["Bearer a", "Bearer b"] }) },
  ...[
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonx",
    "",
  ].map((type) => ({
    name: `C114 body of type ${type || "(none)"}`,
    expected: 415,
    headers: without("content-type", type === "" ? {} : { "content-type": type }),
  })),
  { name: "a body without a length", expected: 411, headers: plus({ "transfer-encoding": "chunked" }) },
  { name: "a call by GET", expected: 405, method: "GET", body: null },
  ...["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"].map((method) => ({
    name: `method ${method}`,
    expected: 405,
    method,
  })),
  { name: "C116 a token in the address", expected: 400, path: (route) => `${route}?token=x` },
  { name: "C116 a password in the address", expected: 400, path: (route) => `${route}?a=1&password=x` },
  { name: "C128 a doubled slash", expected: 404, path: (route) => `/${route}` },
  { name: "C128 an encoded backslash", expected: 404, path: (route) => `${route}/..%5c..%5cetc` },
  { name: "dots", expected: 404, path: (route) => `${route}/../../etc/passwd` },
  { name: "an address of another server", expected: 404, path: (route) => `http://evil.example${route}` },
];

describe("requests that reach no route", () => {
  it.each(ATTACKS)("$name", async ({ expected, headers = own, path, method = "POST", body = "{}" }) => {
    for (const route of ROUTES) {
      const given = headers();
      if (body !== null && !given["transfer-encoding"]) given["content-length"] = String(body.length);
      const sent: RawRequest = {
        port: cloud.cloud.port,
        path: path?.(route) ?? route,
        method,
        headers: given,
        ...(body === null ? {} : { body }),
      };
      const answer = await rawRequest(sent);
      expect(answer.status, `${method} ${sent.path}`).toBe(expected);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
      expect(answer.headers["x-content-type-options"]).toBe("nosniff");
      expect(answer.body).not.toMatch(/\bat .+:\d+:\d+/);
    }
    expect(cloud.log.join("")).not.toContain(account.device.token);
  });

  it("bodies have a limit, and it is smaller where passwords come", async () => {
    const ask = (path: string, bytes: number) =>
      rawRequest({
        port: cloud.cloud.port,
        path,
        method: "POST",
        headers: { ...own(), "content-length": String(bytes) },
        body: "",
      }).catch(() => ({ status: 0 }));
    expect((await ask("/trpc/sync.push", MAX_CALL_BYTES + 1)).status).toBe(413);
    expect((await ask("/auth/sign-in/email", MAX_AUTH_BYTES + 1)).status).toBe(413);
  });

  it.each([
    "GET / HTTP/1.0\r\n\r\n",
    "GET /trpc/live.watch HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n",
    "POST /trpc/sync.push HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
    "POST /trpc/sync.push HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    "\x16\x03\x01\x02\x00",
  ])("bytes that are no request of ours: %j", async (bytes) => {
    expect(await rawBytes(cloud.cloud.port, bytes)).toMatch(/^$|^HTTP\/1\.1 4\d\d /);
  });

  it("what does not fit a schema is told in a sentence, on every call", async () => {
    const takesNothing = ["live.watch", "accounts.status", "devices.list", "pairing.invite"];
    for (const name of Object.keys(createCloudRouter()._def.procedures)) {
      if (takesNothing.includes(name)) continue;
      const headers = { ...own(), "content-length": "13" };
      const answer = await rawRequest({
        port: cloud.cloud.port,
        path: `/trpc/${name}`,
        method: "POST",
        headers,
        body: '{"a":[1,{}]} ',
      });
      const wants = name === "roster.get" ? 200 : 400;
      expect(answer.status, name).toBe(wants);
      if (wants === 400) expect(answer.body).toContain("The request is not valid.");
    }
    expect(cloud.log.join("")).not.toContain("fault of ours");
  });

  it("machines that know an address only may ask how the server is", async () => {
    for (const path of ["/livez", "/readyz", "/version"]) {
      const answer = await rawRequest({ port: cloud.cloud.port, path, headers: { host: "10.0.0.7:80" } });
      expect(answer.status).toBe(200);
    }
    const { body } = await rawRequest({ port: cloud.cloud.port, path: "/version", headers: { host: "x" } });
    expect(JSON.parse(body)).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+/), protocol: 1 });
  });

  it("every answer has an id that stands in the log", async () => {
    const answer = await rawRequest({ port: cloud.cloud.port, path: "/nothing", headers: own() });
    expect(answer.status).toBe(404);
    const id = String(answer.headers["x-request-id"]);
    await expect.poll(() => cloud.log.filter((line) => line.includes(id))).toHaveLength(1);
  });
});
