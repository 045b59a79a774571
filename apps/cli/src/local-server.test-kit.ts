/** A real HTTP server on loopback that serves the real router over a device in memory, with hello and token. */
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { answersNonce, helloProof, PROTOCOL_VERSION, RUN_ID_HEADER } from "@codehands/api";
import { createLocalRouter, handleLocal } from "@codehands/api/local";
import { type DaemonFile, homePaths } from "@codehands/contracts";
import { MemoryDevice } from "./memory-device.test-kit.ts";

export interface LocalServer {
  home: string;
  device: MemoryDevice;
  file: DaemonFile;
  /** Paths of all requests, in order, without their queries. */
  requests: string[];
  /** What the Authorization headers held. */
  tokens: string[];
  /** Cuts the connection of the next answer below this path, after the call was carried out. */
  loseAnswerOf: (path: string) => void;
  /** Stops serving; home folder and device stay. */
  stop: () => Promise<void>;
  close: () => Promise<void>;
}

/** Starts the server in a new home folder with its `daemon.json`. `protocol` is what its hello says. */
export async function startLocalServer(
  o: { protocol?: number; home?: string; pid?: number; device?: MemoryDevice } = {},
): Promise<LocalServer> {
  const home = o.home ?? mkdtempSync(join(tmpdir(), "codehands-cli-"));
  const device = o.device ?? new MemoryDevice();
  const token = randomBytes(32).toString("base64url");
  const [requests, tokens, lost] = [[] as string[], [] as string[], new Set<string>()];
  const answer = async (request: IncomingMessage, response: ServerResponse, port: number): Promise<void> => {
    const url = new URL(request.url ?? "/", `http://127.0.0.1:${port}`);
    requests.push(url.pathname);
    if (request.headers.authorization !== undefined) tokens.push(request.headers.authorization);
    if (url.pathname === "/hello") {
      const nonce = url.searchParams.get("nonce") ?? "";
      const proof = answersNonce(nonce, port) ? await helloProof(token, nonce) : "";
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ proof, protocol: o.protocol ?? PROTOCOL_VERSION, version: "0.1.0" }));
      return;
    }
    if (request.headers.authorization !== `Bearer ${token}`) {
      response.writeHead(401).end();
      return;
    }
    await serveCall({ request, response, url, device, lost });
  };
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    answer(request, response, port).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const startedAt = "2026-01-02T03:00:00.000Z";
  const known = { pid: o.pid ?? process.pid, port, token, version: "0.1.0", protocol: o.protocol ?? PROTOCOL_VERSION };
  const file: DaemonFile = { ...known, bootId: randomUUID(), homeId: randomUUID(), startedAt };
  writeFileSync(homePaths(home).daemonFile, JSON.stringify(file), { mode: 0o600 });
  return {
    home,
    device,
    file,
    requests,
    tokens,
    loseAnswerOf: (path) => lost.add(path),
    stop: () => stop(server),
    close: () => close(server, home),
  };
}

async function stop(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

async function close(server: Server, home: string): Promise<void> {
  await stop(server);
  rmSync(home, { recursive: true, force: true });
}

async function serveCall(o: {
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
  device: MemoryDevice;
  lost: Set<string>;
}): Promise<void> {
  const { request, response, url } = o;
  const leaving = new AbortController();
  response.on("close", () => leaving.abort());
  const hasBody = request.method !== "GET" && request.method !== "HEAD";
  const asked = new Request(url, {
    method: request.method ?? "GET",
    headers: Object.entries(request.headers).map(([name, value]) => [name, String(value)] as [string, string]),
    signal: leaving.signal,
    ...(hasBody && { body: Readable.toWeb(request) as ReadableStream<Uint8Array>, duplex: "half" as const }),
  });
  const runId = request.headers[RUN_ID_HEADER];
  const context = { ports: o.device.ports, caller: { runId: typeof runId === "string" ? runId : null } };
  const answer = await handleLocal(asked, { router: createLocalRouter(), context });
  if (o.lost.delete(url.pathname)) {
    await answer.text();
    response.destroy();
    return;
  }
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) response.end();
  else await pipeline(Readable.fromWeb(answer.body), response);
}
