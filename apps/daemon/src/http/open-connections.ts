import type { Server } from "node:http";
import { countConnections } from "@codehands/api/http";

/** How long answers under way may take once the daemon closes. */
const GRACE_MS = 5_000;

/**
 * The end of the daemon is orderly: streams are cut (their clients come back by themselves and go on where they were),
 * other answers are finished, and connections on which nothing is under way do not hold it up.
 */
export function openConnections(servers: readonly Server[]) {
  const { connected, asked, streams, answering, sockets, finish } = countConnections();
  for (const server of servers) server.on("connection", connected).on("request", asked);
  return {
    streams,
    async close(): Promise<void> {
      finish();
      const closed = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())));
      const cut = (): void => {
        const busy = answering();
        for (const socket of sockets) if (!busy.has(socket)) socket.destroy();
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
