import { createServer, type RequestListener, type Server } from "node:http";
import { isIPv6 } from "node:net";

export interface ServeOptions {
  /** The wished port; 0 takes any free one. */
  port: number;
  /** Where to listen; 127.0.0.1, and ::1 where the machine has it, when absent. */
  addresses?: readonly string[];
  listener: RequestListener;
}

export type Served = { ok: true; port: number; addresses: string[]; servers: Server[] } | { ok: false; reason: string };

const LOOPBACK = ["127.0.0.1", "::1"];
/** How many ports after the wished one are tried. */
const NEXT_PORTS = 50;

/**
 * Listens on loopback only, on the wished port or the next one that is free on every address: a stranger
 * on `[::1]:port` would else be met by whoever calls `localhost`. Any other address is refused.
 */
export async function serveLoopback(options: ServeOptions): Promise<Served> {
  const addresses = options.addresses ?? LOOPBACK;
  const open = addresses.find((address) => !LOOPBACK.includes(address));
  if (open !== undefined) {
    return { ok: false, reason: `The daemon listens on this machine only (127.0.0.1 and ::1), never on ${open}.` };
  }
  const last = options.port === 0 ? NEXT_PORTS : Math.min(options.port + NEXT_PORTS, 65_535);
  for (let wished = options.port; wished <= last; wished += 1) {
    const served = await listenOnAll(options.port === 0 ? 0 : wished, addresses, options.listener);
    if (served !== null) return served;
  }
  return { ok: false, reason: `No port from ${options.port} to ${last} is free on this machine.` };
}

async function listenOnAll(port: number, addresses: readonly string[], listener: RequestListener) {
  const servers: Server[] = [];
  const bound: string[] = [];
  let chosen = port;
  for (const address of addresses) {
    const server = createServer({ keepAlive: true, keepAliveInitialDelay: 30_000 }, listener);
    const outcome = await listen(server, chosen, address);
    if (outcome === "absent" && bound.length > 0) continue;
    if (outcome !== "listening") {
      await Promise.all(servers.map(closeServer));
      return null;
    }
    const at = server.address();
    if (at !== null && typeof at === "object") chosen = at.port;
    servers.push(server);
    bound.push(address);
  }
  return { ok: true as const, port: chosen, addresses: bound, servers };
}

function listen(server: Server, port: number, host: string): Promise<"listening" | "taken" | "absent"> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE" || error.code === "EACCES") resolve("taken");
      else if (error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT") resolve("absent");
      else reject(error);
    });
    server.listen({ port, host, ipv6Only: isIPv6(host) }, () => {
      server.removeAllListeners("error");
      resolve("listening");
    });
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
