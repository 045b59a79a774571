/** The smallest daemon over real HTTP: hello, the token, the router. It keeps what it was sent. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { CallFault } from "./answer-calls.ts";
import { handleLocal } from "./handle-local.ts";
import { answersNonce, helloProof } from "./hello.ts";
import { createLocalRouter } from "./local.ts";
import type { LocalPorts } from "./ports.ts";
import { LOCAL_ENDPOINT, PROTOCOL_VERSION, RUN_ID_HEADER } from "./protocol.ts";

export const TOKEN = "the-token-of-this-test";

export interface HttpDaemon {
  url: string;
  /** Everything asked, in order. */
  asked: { method: string; url: string; authorization: string | undefined; body: string }[];
  faults: CallFault[];
  /** Breaks every open connection, as a crashing proxy or a sleeping machine does. */
  cut(): void;
  close(): Promise<void>;
}

/** Serves the ports on a free port of the loopback. `answer` takes over where it returns a response. */
export async function httpDaemon(
  ports: LocalPorts,
  options: { token?: string; protocol?: number; answer?: (url: URL) => Response | undefined } = {},
): Promise<HttpDaemon> {
  const { token = TOKEN, protocol = PROTOCOL_VERSION } = options;
  const asked: HttpDaemon["asked"] = [];
  const faults: CallFault[] = [];
  const router = createLocalRouter();

  const respond = async (request: Request, port: number): Promise<Response> => {
    const url = new URL(request.url);
    const own = options.answer?.(url);
    if (own) return own;
    if (url.pathname === "/hello") {
      const nonce = url.searchParams.get("nonce") ?? "";
      if (!answersNonce(nonce, port)) return new Response(null, { status: 400 });
      return Response.json({ proof: await helloProof(token, nonce), protocol, version: "0.1.0" });
    }
    if (request.headers.get("authorization") !== `Bearer ${token}`) return new Response("no", { status: 401 });
    if (!url.pathname.startsWith(`${LOCAL_ENDPOINT}/`)) return new Response("no", { status: 404 });
    const context = { ports, caller: { runId: request.headers.get(RUN_ID_HEADER) } };
    return handleLocal(request, { router, context, onFault: (fault) => faults.push(fault) });
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { port } = server.address() as AddressInfo;
    const { method = "GET", url = "/", headers } = request;
    const body = Buffer.concat(await request.toArray()).toString();
    asked.push({ method, url, authorization: headers.authorization, body });
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const answer = await respond(
      new Request(`http://127.0.0.1:${port}${url}`, {
        method,
        headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
        body: body === "" ? null : body,
        signal: gone.signal,
      }),
      port,
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body === null) response.end();
    else
      Readable.fromWeb(answer.body)
        .on("error", () => response.destroy())
        .pipe(response);
  };

  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    faults,
    cut: () => server.closeAllConnections(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
