import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** How long answers under way may take once the daemon closes. */
const GRACE_MS = 5_000;

/**
 * Keeps count of what is open, so that the end is orderly: streams are cut (their clients come back by themselves and
 * go on where they were), other answers are finished, and connections on which nothing is under way do not hold it up.
 */
export function openConnections(servers: readonly Server[]) {
  const sockets = new Set<Socket>();
  const open = new Set<ServerResponse>();
  let closing = false;
  for (const server of servers) {
    server.on("connection", (socket: Socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    });
    server.on("request", ({ socket }: IncomingMessage, outgoing: ServerResponse) => {
      open.add(outgoing);
      outgoing.once("close", () => {
        open.delete(outgoing);
        if (closing) socket.destroySoon();
      });
    });
  }
  return {
    streams: () => [...open].filter(isStream).length,
    async close(): Promise<void> {
      closing = true;
      const closed = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())));
      const cut = (): void => {
        const answering = new Set(
          [...open].filter((outgoing) => !isStream(outgoing)).map((outgoing) => outgoing.socket),
        );
        for (const socket of sockets) if (!answering.has(socket)) socket.destroy();
      };
      cut();
      // An answer that turns out to be a stream is known as one only with its first byte.
      const again = setInterval(cut, 50);
      const force = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, GRACE_MS);
      await Promise.all(closed);
      clearInterval(again);
      clearTimeout(force);
    },
  };
}

function isStream(outgoing: ServerResponse): boolean {
  return String(outgoing.getHeader("content-type") ?? "").startsWith("text/event-stream");
}
