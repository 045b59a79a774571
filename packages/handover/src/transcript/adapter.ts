import type { Draft } from "../packet/packet.ts";
import { bareLine, eachLine, type Sequence } from "./lines-of.ts";

export interface AdapterOptions {
  /** Who hands off; the draft has no `agent` without it. */
  agent?: string;
  /** The session's id; the draft has no `from_session` without it. */
  from_session?: string;
  /** How many notes of progress are kept, the last ones. Default 12; 0 keeps none. */
  max_progress?: number;
  /** What the session was asked, when it is known better than from the session itself. */
  goal?: string;
  /** The folder that the session worked in, when the session does not say: paths in the draft are relative to it. */
  cwd?: string;
}

/** Reads a session line by line. */
export interface LineReader {
  /** Takes a text that is one document of many lines, and says whether it was one. */
  document?(text: string): boolean;
  line(line: string): void;
  end(): Draft;
}

/** Makes a draft of a foreign session. Nothing that a session holds makes it throw. */
export interface Adapter {
  /** From the whole text. */
  (raw: string | null | undefined, opts?: AdapterOptions): Draft;
  /** From lines as they come, with or without their endings; `linesOf` makes them of a stream. Holds one at a time. */
  lines(lines: Sequence<string | Uint8Array>, opts?: AdapterOptions): Promise<Draft>;
}

/** Both forms of an adapter out of its reader. */
export function makeAdapter(open: (opts: AdapterOptions) => LineReader): Adapter {
  const fromText = (raw: string | null | undefined, opts: AdapterOptions = {}): Draft => {
    const reader = open(opts);
    const text = typeof raw === "string" ? raw : "";
    const bare = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
    if (reader.document?.(bare) !== true) eachLine(bare, (line) => reader.line(line));
    return reader.end();
  };
  const lines = async (source: Sequence<string | Uint8Array>, opts: AdapterOptions = {}): Promise<Draft> => {
    const reader = open(opts);
    let first = true;
    for await (const item of source) {
      reader.line(
        bareLine(
          typeof item === "string" ? item : Buffer.from(item.buffer, item.byteOffset, item.length).toString("utf8"),
          first,
        ),
      );
      first = false;
    }
    return reader.end();
  };
  return Object.assign(fromText, { lines });
}
