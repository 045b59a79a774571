import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect, createServer } from "node:net";
import { helloProof } from "@codehands/api";
import { afterEach, describe, expect, it } from "vitest";
import { rawRequest } from "../../../../test/kit/raw-request.ts";
import { memoryLog, memoryPorts, SESSION_ID } from "./memory-ports.test-kit.ts";
import { type OpenHttp, openHttp } from "./open-http.ts";
import { serveLoopback } from "./serve-loopback.ts";

const TOKEN = "k".repeat(43);
const opened: OpenHttp[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((http) => http.close()));
});

async function serve() {
  const memory = memoryPorts();
  const log = memoryLog();
  const opening = await openHttp({ ports: memory.ports, log, port: 0, token: TOKEN, version: "0.1.0" });
  if (!opening.ok) throw new Error(opening.reason);
  opened.push(opening.http);
  return { ...memory, log, http: opening.http, port: opening.http.port };
}

const good = (port: number) => ({
  host: `127.0.0.1:${port}`,
  authorization: `Bearer ${TOKEN}`,
  "content-type": "application/json",
});
const watchPath = `/trpc/sessions.watch?input=${encodeURIComponent(JSON.stringify({ sessionId: SESSION_ID }))}`;

async function openStream(port: number, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const outgoing = request({
    host: "127.0.0.1",
    port,
    path: watchPath,
    agent: false,
    headers: { ...good(port), ...headers },
  });
  outgoing.on("error", () => {});
  outgoing.end();
  const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
  answer.on("error", () => {});
  answer.setEncoding("utf8");
  return answer;
}

async function until(what: () => boolean, ms = 45_000): Promise<void> {
  const deadline = Date.now() + ms;
  while (!what()) {
    if (Date.now() > deadline) throw new Error("it did not come to pass in time");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function readUntil(stream: IncomingMessage, wanted: RegExp): Promise<string> {
  let text = "";
  for await (const part of stream) {
    text += part;
    if (wanted.test(text)) return text;
  }
  throw new Error(`the stream ended before ${wanted}: ${text}`);
}

describe("requests that are served", () => {
  it("G15 the same calls that the hostile matrix sends are answered for the person", async () => {
    const { port, calls } = await serve();
    for (const origin of [undefined, `http://127.0.0.1:${port}`]) {
      const headers = { ...good(port), ...(origin === undefined ? {} : { origin, "sec-fetch-site": "same-origin" }) };
      const list = await rawRequest({ port, method: "POST", path: "/trpc/sessions.list", headers, body: "{}" });
      expect(list.status).toBe(200);
      expect(list.headers["cache-control"]).toBe("no-store");
      expect(list.headers["content-security-policy"]).toContain("default-src 'self'");
    }
    const set = await rawRequest({
      port,
      method: "POST",
      path: "/trpc/settings.set",
      headers: good(port),
      body: '{"key":"a","value":1}',
    });
    expect(set.status).toBe(200);
    expect(calls).toEqual(["sessions.list", "sessions.list", "settings.set"]);
    for (const host of [`localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`]) {
      const answer = await rawRequest({ port, path: "/", headers: { ...good(port), host } });
      expect(answer.status).toBe(404);
      expect(JSON.parse(answer.body)).toEqual({ error: "There is nothing at this address." });
    }
  });

  it("/hello proves that the daemon holds the token", async () => {
    const { port } = await serve();
    const nonce = `${port}.${"b".repeat(32)}`;
    const answer = await rawRequest({ port, path: `/hello?nonce=${nonce}`, headers: { host: `127.0.0.1:${port}` } });
    expect(JSON.parse(answer.body)).toEqual({ proof: await helloProof(TOKEN, nonce), protocol: 1, version: "0.1.0" });
  });

  it("a fault of ours is told without its inside, and stands in the log", async () => {
    const { port, ports, log } = await serve();
    ports.settings.list = () => Promise.reject(new Error("secret inside"));
    const answer = await rawRequest({
      port,
      method: "POST",
      path: "/trpc/settings.list",
      headers: good(port),
      body: "{}",
    });
    expect(answer.status).toBe(500);
    expect(answer.body).not.toMatch(/secret inside|stack|\.ts:/);
    expect(log.lines.filter((line) => line.level === "error")).toHaveLength(1);
  });

  it("C116 the log has a line per request with its id, without query and token", async () => {
    const { port, log } = await serve();
    const path = `/trpc/sessions.list?input=${encodeURIComponent('{"search":"my words"}')}`;
    const answer = await rawRequest({ port, path, headers: good(port) });
    await until(() => log.lines.length > 0);
    expect(log.lines[0]?.fields).toMatchObject({
      request: answer.headers["x-request-id"],
      path: "/trpc/sessions.list",
      status: 200,
    });
    expect(JSON.stringify(log.lines)).not.toMatch(/my words|kkkk/);
  });
});

describe("streams", () => {
  it("C102 F33 five hundred watchers that vanish leave no listener and no stream", async () => {
    const { port, listeners, http } = await serve();
    for (let round = 0; round < 10; round += 1) {
      const streams = await Promise.all(Array.from({ length: 50 }, () => openStream(port)));
      await until(() => listeners() === 50 && http.streams() === 50);
      for (const stream of streams) stream.destroy();
      await until(() => listeners() === 0 && http.streams() === 0);
    }
  });

  it("C072 C101 a watcher that lost its connection goes on after the last event it saw", async () => {
    const { port, emit, listeners } = await serve();
    emit("one");
    const first = await openStream(port);
    expect(first.headers["cache-control"]).toBe("no-store");
    expect(await readUntil(first, /"one".*\n\n/s)).toContain("id: 1");
    await until(() => listeners() === 0);
    emit("two");
    emit("three");
    const text = await readUntil(await openStream(port, { "last-event-id": "1" }), /"three".*\n\n/s);
    expect(text).toContain('"two"');
    expect(text).not.toContain('"one"');
  });

  it("F38 closing cuts the streams, finishes what is under way and frees the port", async () => {
    const { port, ports, http, listeners } = await serve();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let arrived = false;
    ports.settings.list = async () => {
      arrived = true;
      await held;
      return [];
    };
    const stream = await openStream(port);
    const cut = new Promise<void>((resolve) => stream.once("close", resolve));
    const slow = rawRequest({ port, method: "POST", path: "/trpc/settings.list", headers: good(port), body: "{}" });
    await until(() => arrived && listeners() === 1);
    const idle = connect(port, "127.0.0.1");
    await once(idle, "connect");
    const idleGone = once(idle, "close");
    const closed = http.close();
    // Neither the stream nor a connection on which nothing was asked holds up the answer that is under way.
    await Promise.all([cut, idleGone]);
    await expect(rawRequest({ port, path: "/", headers: good(port) })).rejects.toMatchObject({ code: "ECONNREFUSED" });
    release();
    expect((await slow).status).toBe(200);
    await closed;
    await until(() => listeners() === 0);
  });
});

describe("where it listens", () => {
  it.each(["0.0.0.0", "::", "192.168.1.4", "example.org", ""])("refuses to listen on %j", async (address) => {
    const served = await serveLoopback({ port: 0, addresses: [address], listener: () => {} });
    expect(served).toEqual({ ok: false, reason: expect.stringContaining("127.0.0.1 and ::1") });
  });

  it("takes the next port when the wished one is taken on any loopback address", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const taken = (other.address() as { port: number }).port;
    const served = await serveLoopback({ port: taken, listener: () => {} });
    if (!served.ok) throw new Error(served.reason);
    expect(served.port).toBeGreaterThan(taken);
    expect(served.addresses[0]).toBe("127.0.0.1");
    for (const server of served.servers) server.close();
    other.close();
  });
});
