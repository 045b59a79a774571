import { connect, type Socket } from "node:net";

/** What the client says about where to connect. */
interface Target {
  path?: string | false | null;
  host: string | string[];
  port: number | string | (number | string)[];
}

/**
 * A socket for postgres.js, which sets no TCP_NODELAY by itself: a transaction of 60 KB then waits for delayed
 * acknowledgements. It is handed over while it connects; what is written meanwhile waits in it.
 */
export function openSocket(target: Target): Socket {
  if (typeof target.path === "string") return connect(target.path);
  const first = <T>(value: T | T[]): T | undefined => (Array.isArray(value) ? value[0] : value);
  const socket = connect({ host: first(target.host) ?? "localhost", port: Number(first(target.port) ?? 5432) });
  return socket.setNoDelay(true);
}
