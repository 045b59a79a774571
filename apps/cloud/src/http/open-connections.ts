import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

export interface Connections {
  /** Streams of pokes that are open now. */
  streams(): number;
  /** Takes no more connections, waits for the answers under way, `graceMs` at most, then closes what is left. */
  drain(graceMs: number): Promise<void>;
}

/**
 * Keeps count of what is open, so that the end is orderly: streams have been told to end by then, other answers are
 * finished, and connections on which nothing is under way do not hold it up.
 */
export function openConnections(server: Server): Connections {
  const sockets = new Set<Socket>();
  const open = new Set<ServerResponse>();
  let closing = false;
  for (const event of ["connection", "secureConnection"] as const) {
    server.on(event, (socket: Socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    });
  }
  server.on("request", ({ socket }: IncomingMessage, outgoing: ServerResponse) => {
    open.add(outgoing);
    if (closing) outgoing.setHeader("connection", "close");
    outgoing.once("close", () => {
      open.delete(outgoing);
      if (closing) socket.destroySoon();
    });
  });
  return {
    streams: () => [...open].filter(isStream).length,
    async drain(graceMs) {
      closing = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const force = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, graceMs);
      await closed;
      clearTimeout(force);
    },
  };
}

function isStream(outgoing: ServerResponse): boolean {
  return String(outgoing.getHeader("content-type") ?? "").startsWith("text/event-stream");
}
