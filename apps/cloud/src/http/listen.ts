import { readFileSync } from "node:fs";
import { createServer as createHttp, type RequestListener, type Server } from "node:http";
import { createServer as createHttps } from "node:https";
import type { AddressInfo } from "node:net";
import { CloudError } from "./cloud-error.ts";

export interface ListenOptions {
  host: string;
  port: number;
  /** Files. */
  tls: { cert: string; key: string } | null;
  listener: RequestListener;
}

/** Listens, with https where there is a certificate. Throws `cannot_listen` or `tls_unreadable`. */
export async function listen(options: ListenOptions): Promise<{ server: Server; port: number }> {
  const server = options.tls === null ? createHttp(options.listener) : secure(options.tls, options.listener);
  server.requestTimeout = 60_000;
  server.headersTimeout = 20_000;
  // Longer than the proxies in front keep theirs, so that none sends on a connection that we close.
  server.keepAliveTimeout = 75_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(whyNot(error, options)));
    server.listen(options.port, options.host, () => resolve());
  });
  return { server, port: (server.address() as AddressInfo).port };
}

function secure(tls: { cert: string; key: string }, listener: RequestListener): Server {
  try {
    const files = { cert: readFileSync(tls.cert), key: readFileSync(tls.key) };
    return createHttps({ ...files, minVersion: "TLSv1.2" }, listener);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CloudError(
      "tls_unreadable",
      `The certificate ${tls.cert} and the key ${tls.key} cannot be used (${why}). Nothing was started. Give two PEM files that belong together.`,
      { cause: error },
    );
  }
}

function whyNot(error: NodeJS.ErrnoException, { host, port }: ListenOptions): CloudError {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: "another program listens there. Stop it, or choose another port with --port",
    EACCES: "this user may not listen there. Choose a port from 1024 on with --port",
    EADDRNOTAVAIL: "this machine does not have that address. Choose another with --host",
  };
  const why = reasons[error.code ?? ""] ?? error.message;
  return new CloudError("cannot_listen", `Cannot listen on ${host}:${port}: ${why}. Nothing was started.`, {
    cause: error,
  });
}
