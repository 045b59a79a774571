import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { HTTPS_HEADERS, pathOf, refuseRequest, SECURITY_HEADERS } from "@codehands/api/http";
import { getRequestListener } from "@hono/node-server";
import type { Log } from "../logs/open-log.ts";
import { createLiveAnswer, STREAM_PATH } from "./answer-live.ts";
import { checkRequest } from "./check-request.ts";
import { type CloudAppOptions, createCloudApp } from "./cloud-app.ts";
import { listen } from "./listen.ts";
import { openConnections } from "./open-connections.ts";

export interface HttpOptions extends Omit<CloudAppOptions, "headers"> {
  host: string;
  port: number;
  tls: { cert: string; key: string } | null;
  /** What is dialled, once the port is known. */
  origins: (port: number) => readonly string[];
}

export interface OpenHttp {
  port: number;
  origins: readonly string[];
  /** Streams of pokes that are open now. */
  streams(): number;
  /** Takes no more connections, waits for the answers under way, `graceMs` at most, then closes what is left. */
  drain(graceMs: number): Promise<void>;
}

/** Listens at once; until the parts are there only the health routes answer. Every request passes `checkRequest` first. */
export async function openHttp(options: HttpOptions): Promise<OpenHttp> {
  let origins: readonly string[] = [];
  const headers = () => ({ ...SECURITY_HEADERS, ...(origins[0]?.startsWith("https:") ? HTTPS_HEADERS : {}) });
  const app = createCloudApp({ ...options, headers });
  const answerLive = createLiveAnswer({ ...options, headers });
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const watch = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    if (!(await answerLive(incoming, outgoing)) && !outgoing.destroyed) await answer(incoming, outgoing);
  };
  const listener: RequestListener = (incoming, outgoing) => {
    logAnswer(options.log, incoming, outgoing);
    const { method = "", url = "", rawHeaders } = incoming;
    const verdict = checkRequest({ method, target: url, rawHeaders }, { origins });
    if (!verdict.ok) refuseRequest(outgoing, verdict);
    else if (method === "GET" && pathOf(url) === STREAM_PATH) void watch(incoming, outgoing);
    else void answer(incoming, outgoing);
  };
  const { server, port } = await listen({ ...options, listener });
  const connections = openConnections(server);
  origins = options.origins(port).map((origin) => origin.toLowerCase());
  return { port, origins, ...connections };
}

/** Writes one line per answer. The query stays out, and so does the address of whoever asked. */
function logAnswer(log: Log, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const request = randomUUID();
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
    if (outgoing.statusCode >= 500) log.error(fields, "answered");
    else if (outgoing.statusCode >= 400) log.warn(fields, "answered");
    else log.info(fields, "answered");
  });
}
