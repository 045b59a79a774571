interface Closes {
  once: (event: "close", listener: () => void) => unknown;
}
/** A connection, as Node's `Socket` has it. */
export interface Connected extends Closes {
  readonly bytesRead: number;
  destroy: () => unknown;
  destroySoon: () => void;
}
/** An answer under way, as Node's `ServerResponse` has it. */
export interface Answering extends Closes {
  readonly headersSent: boolean;
  getHeader: (name: string) => unknown;
  setHeader: (name: string, value: string) => unknown;
}

export interface ConnectionCount {
  /** To be told of each connection, secure ones too. */
  connected: (socket: Connected) => void;
  /** To be told of each request. */
  asked: (incoming: { socket: Connected }, outgoing: Answering) => void;
  /** Streams of events that are open now. */
  streams: () => number;
  /** Connections on which an answer is under way that is no stream. */
  answering: () => Set<Connected>;
  sockets: ReadonlySet<Connected>;
  /** Ends the connections on which nothing is under way: no answer, and not a byte since the last one. */
  endIdle: () => void;
  /** The server ends: from now on a connection closes behind the answer that is under way on it. */
  finish: () => void;
}

/** Keeps count of what is open on a server, so that their end is orderly. How it ends is theirs to say. */
export function countConnections(): ConnectionCount {
  const sockets = new Set<Connected>();
  // An answer that waits for the one before it has no socket of its own yet: its request has.
  const open = new Map<Answering, Connected>();
  /** What had come when the last answer was given. More than that is a request, or the beginning of one. */
  const answeredAt = new WeakMap<Connected, number>();
  let finishing = false;
  return {
    connected(socket) {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    },
    asked({ socket }, outgoing) {
      open.set(outgoing, socket);
      // A refusal is given at once, and says so by itself.
      if (finishing && !outgoing.headersSent) outgoing.setHeader("connection", "close");
      outgoing.once("close", () => {
        open.delete(outgoing);
        answeredAt.set(socket, socket.bytesRead);
        if (finishing && ![...open.values()].includes(socket)) socket.destroySoon();
      });
    },
    streams: () => [...open.keys()].filter(isStream).length,
    answering: () => new Set([...open].filter(([outgoing]) => !isStream(outgoing)).map(([, socket]) => socket)),
    sockets,
    endIdle() {
      const busy = new Set(open.values());
      for (const socket of sockets)
        if (!busy.has(socket) && socket.bytesRead === (answeredAt.get(socket) ?? 0)) socket.destroySoon();
    },
    finish: () => {
      finishing = true;
    },
  };
}

function isStream(outgoing: Answering): boolean {
  const type = outgoing.getHeader("content-type");
  return typeof type === "string" && type.startsWith("text/event-stream");
}
