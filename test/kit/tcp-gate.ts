import { connect, createServer, type Server, type Socket } from "node:net";

/** A network between two programs that can be cut, in the two ways in which networks are. */
export interface TcpGate {
  url: string;
  /** Where it leads: an http origin. */
  lead(to: string): void;
  /** Ends every connection and refuses new ones until `open`. */
  shut(): void;
  /** A black hole: connections stand, new ones are taken, and nothing passes either way until `open` or `shut`. */
  hold(): void;
  /** Everything passes, what a black hole kept as well. */
  open(): void;
  /** Bytes that have passed, both ways. */
  passed(): number;
  /** The newest request line of every connection that stands. */
  asked(): string[];
  close(): Promise<void>;
}

interface Line {
  inner: Socket;
  /** Null while the way to the other end was never open. */
  outer: Socket | null;
  asked: string;
}

const REQUEST = /^(?:GET|POST) \S+/;

/** Opens a gate on a free port of loopback. Nothing passes before `lead` has said where to. */
export async function openGate(): Promise<TcpGate> {
  let target: URL | null = null;
  let state: "open" | "held" | "shut" = "open";
  let bytes = 0;
  const lines = new Set<Line>();

  function join(line: Line): Socket | null {
    if (target === null) return null;
    const { inner } = line;
    const outer = connect(Number(target.port), target.hostname);
    inner.on("data", (chunk: Buffer) => {
      line.asked = REQUEST.exec(chunk.toString("latin1"))?.[0] ?? line.asked;
    });
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      from.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      from.pipe(to);
    }
    outer.on("error", () => inner.destroy());
    outer.on("close", () => inner.destroy());
    return outer;
  }

  const server: Server = createServer((inner) => {
    const line: Line = { inner, outer: null, asked: "" };
    inner.on("error", () => line.outer?.destroy());
    inner.on("close", () => {
      lines.delete(line);
      line.outer?.destroy();
    });
    lines.add(line);
    if (state === "held") inner.pause();
    else if (state === "open") line.outer = join(line);
    if (state !== "held" && line.outer === null) inner.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the gate has no port");
  const cut = () => {
    for (const { inner, outer } of lines) {
      inner.destroy();
      outer?.destroy();
    }
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    lead(to) {
      target = new URL(to);
    },
    shut() {
      state = "shut";
      cut();
    },
    hold() {
      state = "held";
      for (const { inner, outer } of lines) {
        for (const socket of [inner, outer]) socket?.unpipe().pause();
      }
    },
    open() {
      if (state === "held") {
        for (const line of lines) {
          if (line.outer === null) {
            line.outer = join(line);
            continue;
          }
          line.inner.pipe(line.outer);
          line.outer.pipe(line.inner);
        }
      }
      state = "open";
    },
    passed: () => bytes,
    asked: () => [...lines].map((line) => line.asked),
    async close() {
      state = "shut";
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
