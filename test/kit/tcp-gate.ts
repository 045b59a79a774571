import { connect, createServer, type Server, type Socket } from "node:net";

/** A network between two programs that can be cut: bytes pass while it is open, connections end when it is shut. */
export interface TcpGate {
  url: string;
  /** Where it leads: an http origin. */
  lead(to: string): void;
  /** Ends every connection and refuses new ones until `open`. */
  shut(): void;
  open(): void;
  /** Bytes that have passed, both ways. */
  passed(): number;
  close(): Promise<void>;
}

/** Opens a gate on a free port of loopback. Nothing passes before `lead` has said where to. */
export async function openGate(): Promise<TcpGate> {
  let target: URL | null = null;
  const live = new Set<Socket>();
  let isOpen = true;
  let bytes = 0;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
  };
  const server: Server = createServer((inner) => {
    if (!isOpen || target === null) {
      inner.destroy();
      return;
    }
    const outer = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      live.add(from);
      from.on("data", count);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        live.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the gate has no port");
  const cut = () => {
    for (const socket of live) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    lead(to) {
      target = new URL(to);
    },
    shut() {
      isOpen = false;
      cut();
    },
    open() {
      isOpen = true;
    },
    passed: () => bytes,
    async close() {
      isOpen = false;
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
