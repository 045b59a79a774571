import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { LocalPorts } from "@codehands/api";
import { refuseRequest } from "@codehands/api/http";
import { getRequestListener } from "@hono/node-server";
import type { Log } from "../logs/open-log.ts";
import { openCallers } from "./caller.ts";
import { checkRequest } from "./check-request.ts";
import { createLocalApp } from "./local-app.ts";
import { openConnections } from "./open-connections.ts";
import { serveLoopback } from "./serve-loopback.ts";

export interface HttpOptions {
  ports: LocalPorts;
  log: Log;
  /** The wished port; 0 takes any free one. */
  port: number;
  token: string;
  version: string;
  addresses?: readonly string[];
  callers?: ReturnType<typeof openCallers>;
}

export interface OpenHttp {
  port: number;
  addresses: string[];
  /** Streams of events that are open now. */
  streams(): number;
  /** Takes no more connections, cuts the streams, waits for the answers under way (5 s at most), then closes. */
  close(): Promise<void>;
}

/** A prompt of a million characters, every one of them escaped, still fits. */
const MAX_BODY_BYTES = 8 * 1024 ** 2;

export type HttpOpening = { ok: true; http: OpenHttp } | { ok: false; reason: string };

/** Serves the ports on loopback. Every request, whatever its route, passes `checkRequest` first. */
export async function openHttp(options: HttpOptions): Promise<HttpOpening> {
  const callers = options.callers ?? openCallers();
  let port = 0;
  const app = createLocalApp({
    ports: options.ports,
    log: options.log,
    us: () => ({ port, token: options.token, version: options.version }),
    callerOf: ({ incoming }) => callers(incoming.socket),
  });
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });

  const listener: RequestListener = (incoming, outgoing) => {
    const gate = { port, token: options.token, maxBodyBytes: MAX_BODY_BYTES };
    const verdict = checkRequest(
      { method: incoming.method ?? "", target: incoming.url ?? "", rawHeaders: incoming.rawHeaders },
      gate,
    );
    logAnswer(options.log, incoming, outgoing);
    if (verdict.ok) void answer(incoming, outgoing);
    else refuseRequest(outgoing, verdict);
  };

  const served = await serveLoopback({
    port: options.port,
    listener,
    addresses: options.addresses,
  });
  if (!served.ok) return served;
  port = served.port;
  const connections = openConnections(served.servers);
  return {
    ok: true,
    http: { port, addresses: served.addresses, streams: connections.streams, close: connections.close },
  };
}

/** Writes one line per answer. The query stays out: it may hold what a person typed. */
function logAnswer(log: Log, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const request = randomUUID().slice(0, 8);
  const since = process.hrtime.bigint();
  outgoing.setHeader("x-request-id", request);
  outgoing.once("close", () => {
    const fields = {
      request,
      method: incoming.method,
      path: (incoming.url ?? "").split(/[?#]/, 1)[0]?.slice(0, 200),
      status: outgoing.statusCode,
      ms: Number((process.hrtime.bigint() - since) / 1_000_000n),
    };
    if (outgoing.statusCode >= 400) log.warn(fields, "answered");
    else log.info(fields, "answered");
  });
}
