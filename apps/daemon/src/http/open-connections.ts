import type { IncomingMessage, Server, ServerResponse } from "node:http";

/** How long answers under way may take once the daemon closes. */
const GRACE_MS = 5_000;

/**
 * Keeps count of what is open, so that the end is orderly: streams are cut (their clients come back by themselves and
 * go on where they were), other answers are finished.
 */
export function openConnections(servers: readonly Server[]) {
  const open = new Set<ServerResponse>();
  for (const server of servers) {
    server.on("request", (_incoming: IncomingMessage, outgoing: ServerResponse) => {
      open.add(outgoing);
      outgoing.once("close", () => open.delete(outgoing));
    });
  }
  const streams = (): ServerResponse[] => [...open].filter(isStream);
  return {
    streams: () => streams().length,
    async close(): Promise<void> {
      const closed = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())));
      const cutStreams = (): void => {
        for (const stream of streams()) stream.destroy();
        for (const server of servers) server.closeIdleConnections();
      };
      cutStreams();
      // A stream whose first byte was not sent yet is not known as one; and a kept connection goes idle later.
      const again = setInterval(cutStreams, 50);
      const force = setTimeout(() => {
        for (const server of servers) server.closeAllConnections();
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
