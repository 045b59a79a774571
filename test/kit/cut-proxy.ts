import { connect, createServer, type Socket } from "node:net";

/** A network that ends every connection once a number of bytes has passed, both ways counted, and works on afterwards. */
export interface CutProxy {
  url: string;
  /** The next cut comes after so many bytes from now; null: none. */
  cutAfter(bytes: number | null): void;
  /** Bytes that passed since the last `cutAfter`. */
  passed(): number;
  /** How many cuts there were. */
  cuts(): number;
  close(): Promise<void>;
}

/** Opens a proxy on loopback before `target`, an http origin. */
export async function openCutProxy(target: string): Promise<CutProxy> {
  const { hostname, port } = new URL(target);
  const live = new Set<Socket>();
  let left: number | null = null;
  let passed = 0;
  let cuts = 0;
  const cut = (): void => {
    for (const socket of live) socket.destroy();
  };

  /** Hands on what may pass. The cut comes in the middle of a chunk, where its byte lies. */
  function pass(chunk: Buffer, to: Socket): void {
    const most = left === null ? chunk.length : Math.min(left, chunk.length);
    passed += most;
    to.write(chunk.subarray(0, most));
    if (left === null) return;
    left -= most;
    if (left > 0) return;
    left = null;
    cuts += 1;
    // What was handed on is on its way before the connection ends.
    setImmediate(cut);
  }

  const server = createServer((inner) => {
    const outer = connect(Number(port), hostname);
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      live.add(from);
      from.setNoDelay(true);
      from.on("data", (chunk: Buffer) => pass(chunk, to));
      from.on("error", () => to.destroy());
      from.on("close", () => {
        live.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    cutAfter(bytes) {
      left = bytes;
      passed = 0;
    },
    passed: () => passed,
    cuts: () => cuts,
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
