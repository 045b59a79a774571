import { expect, it } from "vitest";
import { checkRequest } from "./check-request.ts";

const token = "z".repeat(43);
const gate = { port: 7433, token, maxBodyBytes: 100 };
const good = [
  "Host",
  "127.0.0.1:7433",
  "Authorization",
  `Bearer ${token}`,
  "Content-Type",
  "application/json; charset=utf-8",
];
const post = (...more: string[]) =>
  checkRequest({ method: "POST", target: "/trpc/sessions.list", rawHeaders: [...good, ...more] }, gate);

it("lets a complete request pass", () => {
  expect(post("Content-Length", "100")).toEqual({ ok: true });
  expect(checkRequest({ method: "GET", target: "/", rawHeaders: good }, gate)).toEqual({ ok: true });
});

it("C080 bounds every body before it is read", () => {
  expect(post("Content-Length", "101")).toMatchObject({ status: 413 });
  expect(post()).toMatchObject({ status: 411 });
  expect(post("Content-Length", "2", "Transfer-Encoding", "chunked")).toMatchObject({ status: 411 });
  expect(post("Content-Length", "-1")).toMatchObject({ status: 411 });
});

it("asks who calls before it says anything about the address, and for the token before methods and bodies", () => {
  const bare = (target: string, ...headers: string[]) =>
    checkRequest({ method: "PUT", target, rawHeaders: headers }, gate);
  expect(bare("//x?token=1", "Host", "evil.example")).toMatchObject({ status: 403 });
  expect(bare("/x", "Host", "localhost:7433")).toMatchObject({ status: 401 });
  expect(bare("/x", ...good)).toMatchObject({ status: 405 });
});

it("C116 finds the token in an address in any spelling", () => {
  const at = (target: string) => checkRequest({ method: "GET", target, rawHeaders: good }, gate);
  expect(at(`/trpc/x?input=${encodeURIComponent(JSON.stringify({ a: token }))}`)).toMatchObject({ status: 400 });
  expect(at(`/${token}`)).toMatchObject({ status: 400 });
  expect(at("/x?Access_Token=y")).toMatchObject({ status: 400 });
});
