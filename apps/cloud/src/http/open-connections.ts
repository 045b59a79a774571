import type { Server } from "node:http";
import { countConnections } from "@codehands/api/http";

export interface Connections {
  /** Streams of pokes that are open now. */
  streams(): number;
  /** Takes no more connections, waits for the answers under way, `graceMs` at most, then closes what is left. */
  drain(graceMs: number): Promise<void>;
}

/** How often it is looked again for what is idle: a handshake that was under way may have ended since. */
const AGAIN_MS = 50;

/**
 * The end of the cloud is orderly: streams have been told to end by then, other answers are finished, and connections on
 * which nothing is under way do not hold it up.
 */
export function openConnections(server: Server): Connections {
  const { connected, asked, streams, sockets, endIdle, finish } = countConnections();
  server.on("connection", connected).on("secureConnection", connected).prependListener("request", asked);
  return {
    streams,
    async drain(graceMs) {
      finish();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Node takes a connection on which no request ever came for a busy one.
      endIdle();
      const again = setInterval(endIdle, AGAIN_MS);
      const force = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, graceMs);
      await closed;
      clearInterval(again);
      clearTimeout(force);
    },
  };
}
