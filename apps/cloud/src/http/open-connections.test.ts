import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecure } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { connect as connectSecure } from "node:tls";
import { afterEach, describe, expect, test } from "vitest";
import { openConnections } from "./open-connections.ts";

/** Longer than any test may take: whoever waits for it fails. */
const LONG_MS = 10 * 60_000;
const pem = (name: string) => readFileSync(new URL(`./fixtures/${name}.pem`, import.meta.url));

const opened: Server[] = [];
afterEach(() => {
  for (const server of opened.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** A server that answers `/slow` when it is told to, everything else at once. */
async function serve(kind: "http" | "https") {
  const waiting: (() => void)[] = [];
  const accepted: Socket[] = [];
  const listener: RequestListener = ({ url }, outgoing) => {
    if (url === "/slow") waiting.push(() => outgoing.end("slow"));
    else outgoing.end("quick");
  };
  const server =
    kind === "http" ? createServer(listener) : createSecure({ cert: pem("cert"), key: pem("key") }, listener);
  opened.push(server);
  server.on(kind === "http" ? "connection" : "secureConnection", (socket: Socket) => accepted.push(socket));
  const connections = openConnections(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  /** A connection on which these bytes have arrived. */
  async function open(bytes = "") {
    const before = accepted.length;
    const socket = kind === "http" ? connect(port, "127.0.0.1") : connectSecure({ port, rejectUnauthorized: false });
    let said = "";
    socket.setEncoding("utf8").on("data", (part: string) => (said += part));
    socket.on("error", () => {});
    const gone = once(socket, "close");
    await expect.poll(() => accepted.length).toBe(before + 1);
    if (bytes !== "") socket.write(bytes);
    await expect.poll(() => accepted[before]?.bytesRead).toBe(bytes.length);
    return { socket, gone, said: () => said };
  }
  return { open, waiting, connections, port };
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`;

describe.each(["http", "https"] as const)("F38 the end of what is open over %s", (kind) => {
  test("connections without a request, and those whose request was answered, go at once", async () => {
    const { open, connections } = await serve(kind);
    const idle = [await open(), await open(get("/quick")), await open(get("/quick") + get("/quick"))];
    await expect.poll(() => idle.map(({ said }) => said().split("quick").length - 1)).toEqual([0, 1, 2]);
    await connections.drain(LONG_MS);
    await Promise.all(idle.map(({ gone }) => gone));
  });

  test("requests under way are answered: one that waits, and one of which a half has come", async () => {
    const { open, connections, waiting } = await serve(kind);
    const [slow, half] = [await open(get("/slow")), await open(get("/half").slice(0, 20))];
    const idle = await open();
    const drained = connections.drain(LONG_MS);
    await idle.gone;
    half.socket.write(get("/half").slice(20));
    await half.gone;
    expect(half.said()).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close[\s\S]*quick$/i);
    expect(slow.said()).toBe("");
    for (const answer of waiting) answer();
    await slow.gone;
    expect(slow.said()).toMatch(/slow$/);
    await drained;
  });

  test("what never comes to an end is cut off when the time is over", async () => {
    const { open, connections } = await serve(kind);
    const [slow, half] = [await open(get("/slow")), await open("GET /")];
    await connections.drain(100);
    await Promise.all([slow.gone, half.gone]);
    expect([slow.said(), half.said()]).toEqual(["", ""]);
  });
});

test("F38 a connection that never began its handshake goes at once", async () => {
  const { connections, port } = await serve("https");
  const raw = connect(port, "127.0.0.1");
  const gone = once(raw, "close");
  await once(raw, "connect");
  await connections.drain(LONG_MS);
  await gone;
});
