import type { IncomingMessage, ServerResponse } from "node:http";
import type { BlockList } from "node:net";
import { CLOUD_ENDPOINT } from "@codehands/api";
import { openPokeLines, type PokeLines } from "@codehands/api/cloud";
import type { Log } from "../logs/open-log.ts";
import { callContext } from "./call-context.ts";
import type { OpenParts } from "./cloud-app.ts";

/** The one GET that opens a stream. */
export const STREAM_PATH = `${CLOUD_ENDPOINT}/live.watch`;
/** As the router's answer has them. */
const STREAM_HEADERS = {
  "content-type": "text/event-stream",
  "x-accel-buffering": "no",
  vary: "trpc-accept, accept",
  connection: "keep-alive",
};

export interface LiveDeps {
  parts: () => OpenParts | null;
  trustedProxies: BlockList;
  /** What every answer carries. */
  headers: () => Readonly<Record<string, string>>;
  log: Log;
}

/**
 * Answers `live.watch` straight on the connection: an idle listener costs a third of what it does through the router's
 * answer (0043). It says false, and has written nothing, for whatever is not a good request of a device: the router's
 * answer says what is wrong with it.
 */
export function createLiveAnswer({ parts, trustedProxies, headers, log }: LiveDeps) {
  async function open(incoming: IncomingMessage, signal: AbortSignal): Promise<PokeLines | null> {
    const running = parts();
    const input = inputOf(incoming);
    if (running === null || input === null) return null;
    const facts = { headers: headersOf(incoming), peer: incoming.socket.remoteAddress, trusted: trustedProxies };
    const context = await callContext(running, facts);
    if (context.caller?.kind !== "device") return null;
    return openPokeLines({
      context,
      input,
      signal,
      onFault: ({ path, error }) => log.error({ path, error }, "a call failed by a fault of ours"),
    });
  }

  return async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<boolean> => {
    const left = new AbortController();
    outgoing.once("close", () => left.abort());
    const pokes = await open(incoming, left.signal).catch(() => null);
    if (pokes === null) return false;
    // Who left while the token was looked up closes no second time: nothing would end a ping.
    if (outgoing.destroyed) return true;
    outgoing.writeHead(200, { ...STREAM_HEADERS, ...headers() });
    await pump(pokes, outgoing);
    return true;
  };
}

/** The next line is asked for once the last one is on its way: a slow reader is told the newest head only. */
async function pump({ lines, ping, pingMs }: PokeLines, outgoing: ServerResponse): Promise<void> {
  const beat = setInterval(() => {
    if (!outgoing.writableNeedDrain) outgoing.write(ping);
  }, pingMs);
  const over = () => clearInterval(beat);
  outgoing.once("close", over);
  for await (const line of lines) {
    if (outgoing.destroyed) return;
    beat.refresh();
    if (!outgoing.write(line)) await roomAgain(outgoing);
  }
  over();
  outgoing.end();
}

function roomAgain(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      outgoing.off("drain", done).off("close", done);
      resolve();
    };
    outgoing.on("drain", done).on("close", done);
  });
}

/** Null for an address that says more than the input of one call. */
function inputOf({ url = "", headers }: IncomingMessage): unknown {
  const { searchParams } = new URL(url, "http://here");
  const said = searchParams.get("input");
  if (said === null || [...searchParams.keys()].length > 1) return null;
  const input: unknown = JSON.parse(said);
  const lastEventId = headers["last-event-id"];
  return typeof input === "object" && lastEventId !== undefined ? { ...input, lastEventId } : input;
}

function headersOf({ headers }: IncomingMessage): Headers {
  const read = new Headers();
  for (const name of ["authorization", "cookie", "x-forwarded-for"]) {
    const value = headers[name];
    if (typeof value === "string") read.set(name, value);
  }
  return read;
}
