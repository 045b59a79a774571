import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { ApiError, createLocalClient } from "./client.ts";
import { type HttpDaemon, httpDaemon, TOKEN } from "./http-daemon.test-kit.ts";
import { aSession, COMMAND_ID, memoryDevice, SESSION_ID } from "./memory-ports.test-kit.ts";
import { PROTOCOL_VERSION } from "./protocol.ts";

const open: HttpDaemon[] = [];
afterEach(() => Promise.all(open.splice(0).map((daemon) => daemon.close())));

const serve = async (options: Parameters<typeof httpDaemon>[1] = {}, device = memoryDevice()) => {
  const daemon = await httpDaemon(device.ports, options);
  open.push(daemon);
  return { daemon, device, client: createLocalClient({ url: daemon.url, token: TOKEN, helloTimeoutMs: 60_000 }) };
};
const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => "it did not fail",
    (error: unknown) => error,
  );

describe("calls over HTTP", () => {
  test("queries and commands arrive and are answered", async () => {
    const { client, device } = await serve();
    expect(await client.sessions.list.query({ search: "login" })).toEqual({
      sessions: [aSession()],
      unreadable: 0,
      nextCursor: null,
    });
    const approved = await client.sessions.approve.mutate({
      commandId: COMMAND_ID,
      sessionId: SESSION_ID,
      treeId: "b".repeat(40),
    });
    expect(approved).toMatchObject({ ok: true });
    await client.health.shutdown.mutate();
    expect(device.calls.map((each) => each.name)).toEqual(["sessions.list", "sessions.approve", "health.shutdown"]);
  });

  test("nothing a person wrote and no token is in any URL", async () => {
    const { client, daemon } = await serve();
    await client.sessions.list.query({ search: "my secret plan" });
    await client.settings.get.query({ key: "model", repoPath: "/srv/private" });
    await client.sessions.resolve.query({ ref: "codehands/secret-branch" });
    for await (const _ of client.sessions.watch.subscribe({ sessionId: SESSION_ID })) break;
    const urls = daemon.asked.map((each) => decodeURIComponent(each.url)).join("\n");
    expect(urls).not.toMatch(/secret|private|the-token/);
    expect(daemon.asked.some((each) => each.body.includes("my secret plan"))).toBe(true);
  });

  test("the run that a program descends from reaches the daemon, which refuses its approval", async () => {
    const { daemon, device } = await serve();
    const client = createLocalClient({ url: daemon.url, token: TOKEN, runId: "run-7" });
    const answer = await client.sessions.approve.mutate({
      commandId: COMMAND_ID,
      sessionId: SESSION_ID,
      treeId: "b".repeat(40),
    });
    expect(answer).toMatchObject({ ok: false, code: "agent_may_not" });
    const refused = await failure(client.settings.set.mutate({ key: "budgetUsd", value: 50 }));
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({ code: "refused", fault: "agent_may_not" });
    expect(device.calls).toEqual([]);
  });

  test("G15: an input may not come as text or as a batch", async () => {
    const { daemon, device } = await serve();
    const headers = { authorization: `Bearer ${TOKEN}` };
    const body = JSON.stringify({ key: "budgetUsd", value: 50 });
    const asText = await fetch(`${daemon.url}/trpc/settings.set`, { method: "POST", headers, body });
    expect(asText.status).toBe(415);
    const batch = await fetch(`${daemon.url}/trpc/agents.list,agents.list?batch=1`, { headers });
    expect(batch.status).toBe(400);
    const get = await fetch(`${daemon.url}/trpc/health.shutdown`, { headers });
    expect(get.status).toBe(405);
    expect(device.calls).toEqual([]);
  });
});

describe("failed calls", () => {
  test("an input that does not fit is a readable sentence", async () => {
    const { client } = await serve();
    const error = await failure(client.sessions.get.query({ sessionId: "3f0f" }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: "bad_request", message: expect.stringMatching(/not valid\. sessionId: /) });
  });

  test("a bug says nothing of the inside; the daemon keeps it for its log", async () => {
    const device = memoryDevice();
    device.ports.agents.list = () => Promise.reject(new Error("password=hunter2"));
    const { client, daemon } = await serve({}, device);
    const error = await failure(client.agents.list.query());
    expect(error).toMatchObject({ code: "internal", fault: null });
    expect((error as Error).message).toBe("A fault of ours stopped agents.list. Its details are in the log.");
    const raw = await fetch(`${daemon.url}/trpc/agents.list`, { headers: { authorization: `Bearer ${TOKEN}` } });
    expect(raw.status).toBe(500);
    expect(await raw.text()).not.toMatch(/hunter2|stack|\.ts/);
    expect(daemon.faults[0]).toMatchObject({ path: "agents.list", error: { message: "password=hunter2" } });
  });

  test("an answer that does not fit its schema is a bug, not data", async () => {
    const device = memoryDevice();
    device.ports.sessions.get = () => Promise.resolve(aSession({ lastSeq: "3" as never }));
    const { client } = await serve({}, device);
    expect(await failure(client.sessions.get.query({ sessionId: SESSION_ID }))).toMatchObject({ code: "internal" });
  });

  test("a fault with a code keeps its code and its sentence", async () => {
    const device = memoryDevice();
    const fault = Object.assign(new Error("The repository is gone."), { code: "repo_missing" });
    device.ports.sessions.diff = () => Promise.reject(fault);
    const { client } = await serve({}, device);
    expect(await failure(client.sessions.diff.query({ sessionId: SESSION_ID }))).toMatchObject({
      code: "not_found",
      fault: "repo_missing",
      message: "The repository is gone.",
    });
  });

  test("a closed port is unreachable", async () => {
    const { client, daemon } = await serve();
    await daemon.close();
    expect(await failure(client.agents.list.query())).toMatchObject({ code: "unreachable" });
  });

  test("a page instead of an answer is no answer", async () => {
    const html = (url: URL) => (url.pathname === "/hello" ? undefined : new Response("<html>", { status: 502 }));
    const { client } = await serve({ answer: html });
    expect(await failure(client.agents.list.query())).toMatchObject({ code: "internal" });
  });

  test("a request that is refused before any procedure keeps its sentence", async () => {
    const refuse = (url: URL) =>
      url.pathname === "/hello"
        ? undefined
        : Response.json({ error: "A body may have 8 bytes at most." }, { status: 413 });
    const { client } = await serve({ answer: refuse });
    expect(await failure(client.agents.list.query())).toMatchObject({
      code: "bad_request",
      message: "A body may have 8 bytes at most.",
    });
  });

  test("an aborted call is an abort, not an error of the connection", async () => {
    const { client } = await serve();
    const error = await failure(client.agents.list.query(undefined, { signal: AbortSignal.abort() }));
    expect(error).not.toBeInstanceOf(ApiError);
  });
});

describe("who listens on the port", () => {
  test("G15: a program that took the port gets a nonce and never the token", async () => {
    for (const token of ["a-token-it-invented", `${TOKEN}x`]) {
      const { client, daemon } = await serve({ token });
      expect(await failure(client.sessions.list.query({}))).toMatchObject({
        code: "unreachable",
        message: expect.stringContaining("Our token was not sent"),
      });
      expect(daemon.asked).toHaveLength(1);
      expect(JSON.stringify(daemon.asked)).not.toContain(TOKEN);
    }
  });

  test("G15: a program that asks the true daemon for the answer gets none", async () => {
    const { daemon: true_ } = await serve();
    const relay = async (nonce: string) => fetch(`${true_.url}/hello?nonce=${encodeURIComponent(nonce)}`);
    const { daemon: thief } = await serve({ token: "unused" });
    const nonce = `${new URL(thief.url).port}.${"a".repeat(32)}`;
    expect((await relay(nonce)).status).toBe(400);
  });

  test("a program that listens and never answers is unreachable", async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    const client = createLocalClient({ url: `http://127.0.0.1:${port}`, token: TOKEN, helloTimeoutMs: 20 });
    expect(await failure(client.agents.list.query())).toMatchObject({ code: "unreachable" });
    silent.closeAllConnections();
    await new Promise((resolve) => silent.close(resolve));
  });

  test("a daemon that moves its callers elsewhere is not followed", async () => {
    const { daemon: elsewhere } = await serve();
    const away = () => Response.redirect(`${elsewhere.url}/hello`, 302);
    const { client } = await serve({ answer: away });
    expect(await failure(client.agents.list.query())).toMatchObject({ code: "unreachable" });
    expect(elsewhere.asked).toEqual([]);
  });

  test("a call that is moved elsewhere does not take the token there, whatever the answer says it is", async () => {
    const { daemon: elsewhere } = await serve();
    const headers = { location: `${elsewhere.url}/trpc/agents.list`, "content-type": "application/json" };
    const away = (url: URL) => (url.pathname === "/hello" ? undefined : new Response("{}", { status: 307, headers }));
    const { client } = await serve({ answer: away });
    expect(await failure(client.agents.list.query())).toBeInstanceOf(ApiError);
    expect(elsewhere.asked).toEqual([]);
  });

  test("another protocol is told with what to do", async () => {
    const { client, daemon } = await serve({ protocol: PROTOCOL_VERSION + 1 });
    expect(await failure(client.agents.list.query())).toMatchObject({
      code: "version",
      message: expect.stringContaining("codehands daemon restart"),
    });
    expect(daemon.asked).toHaveLength(1);
  });

  test("a token that is not accepted any more is unauthorized, for calls and for streams", async () => {
    const no = (url: URL) => (url.pathname === "/hello" ? undefined : new Response("no", { status: 401 }));
    const { client } = await serve({ answer: no });
    expect(await failure(client.agents.list.query())).toMatchObject({ code: "unauthorized" });
    const frames = client.sessions.watch.subscribe({ sessionId: SESSION_ID });
    expect(await failure(frames.next())).toMatchObject({ code: "unauthorized" });
  });
});
