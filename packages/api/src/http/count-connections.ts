interface Closes {
  once: (event: "close", listener: () => void) => unknown;
}
/** A connection, as Node's `Socket` has it. */
export interface Connected extends Closes {
  destroy: () => unknown;
  destroySoon: () => void;
}
/** An answer under way, as Node's `ServerResponse` has it. */
export interface Answering extends Closes {
  socket: Connected | null;
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
  answering: () => Set<Connected | null>;
  sockets: ReadonlySet<Connected>;
  /** The server ends: from now on a connection closes behind the answer that is under way on it. */
  finish: () => void;
}

/** Keeps count of what is open on a server, so that their end is orderly. How it ends is theirs to say. */
export function countConnections(): ConnectionCount {
  const sockets = new Set<Connected>();
  const open = new Set<Answering>();
  let finishing = false;
  return {
    connected(socket) {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    },
    asked({ socket }, outgoing) {
      open.add(outgoing);
      if (finishing) outgoing.setHeader("connection", "close");
      outgoing.once("close", () => {
        open.delete(outgoing);
        if (finishing) socket.destroySoon();
      });
    },
    streams: () => [...open].filter(isStream).length,
    answering: () => new Set([...open].filter((outgoing) => !isStream(outgoing)).map(({ socket }) => socket)),
    sockets,
    finish: () => {
      finishing = true;
    },
  };
}

function isStream(outgoing: Answering): boolean {
  const type = outgoing.getHeader("content-type");
  return typeof type === "string" && type.startsWith("text/event-stream");
}
