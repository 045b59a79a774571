import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface CutProxy {
  /** The same database through the proxy. */
  url: string;
  /** Bytes that went through since the last `cutAfter`, both ways together. */
  passed(): number;
  /** The next so many bytes go through, then every connection is cut; a new one gets through again. Null: no cut. */
  cutAfter(bytes: number | null): void;
  close(): Promise<void>;
}

/** A line to the database that breaks after a number of bytes, in the middle of whatever is said. */
export async function startCutProxy(databaseUrl: string): Promise<CutProxy> {
  const target = new URL(databaseUrl);
  const open = new Set<Socket>();
  let passed = 0;
  let left: number | null = null;
  const cut = () => {
    left = null;
    for (const socket of open) socket.destroy();
  };
  const pass = (to: Socket) => (bytes: Buffer) => {
    const piece = left === null ? bytes : bytes.subarray(0, left);
    passed += piece.length;
    if (left === null || piece.length < left) {
      if (left !== null) left -= piece.length;
      to.write(piece);
    } else {
      to.write(piece, cut);
    }
  };
  const server = createServer((from) => {
    const to = connect(Number(target.port), target.hostname);
    for (const [here, there] of [
      [from, to],
      [to, from],
    ] as const) {
      open.add(here);
      here.setNoDelay(true);
      here.on("data", pass(there));
      here.on("error", () => there.destroy());
      here.on("close", () => {
        open.delete(here);
        there.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const url = new URL(databaseUrl);
  url.port = String(address.port);
  return {
    url: url.href,
    passed: () => passed,
    cutAfter(bytes) {
      passed = 0;
      left = bytes;
    },
    async close() {
      server.close();
      cut();
      await once(server, "close");
    },
  };
}
