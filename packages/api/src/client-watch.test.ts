import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, test } from "vitest";
import { ApiError, createLocalClient } from "./client.ts";
import { type HttpDaemon, httpDaemon, TOKEN } from "./http-daemon.test-kit.ts";
import { memoryDevice, SESSION_ID } from "./memory-ports.test-kit.ts";

let open: HttpDaemon | undefined;
afterEach(() => open?.close());

const watch = async (afterSeq = 0, sessionId = SESSION_ID) => {
  const device = memoryDevice();
  const daemon = await httpDaemon(device.ports);
  open = daemon;
  const client = createLocalClient({ url: daemon.url, token: TOKEN, helloTimeoutMs: 60_000 });
  return { device, daemon, frames: client.sessions.watch.subscribe({ sessionId, afterSeq }) };
};
const collectGarbage = (): void => {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
};
const shortOf = ({ id, data }: { id: string; data: { kind: string } }) => `${data.kind} ${id}`;

/** Reads frames until the one that `last` names. */
const readUntil = async (
  frames: AsyncIterator<{ id: string; data: { kind: string } }>,
  last: string,
): Promise<string[]> => {
  const seen: string[] = [];
  while (seen.at(-1) !== last) {
    const { value, done } = await frames.next();
    if (done) throw new Error(`the stream ended after ${seen.join(", ")}`);
    seen.push(shortOf(value));
  }
  return seen;
};

describe("watching over HTTP", () => {
  test("sends the session, the stored events, then each new one", async () => {
    const { device, frames } = await watch(1);
    expect(await readUntil(frames, "event 3")).toEqual(["session 1", "event 2", "event 3"]);
    device.add(4);
    expect(await readUntil(frames, "event 4")).toEqual(["event 4"]);
    await frames.return?.();
  });

  test("F33: a cut connection is resumed after the newest event, without a gap and without a repeat", async () => {
    const { device, daemon, frames } = await watch();
    const before = await readUntil(frames, "event 3");
    expect(before).toEqual(["session 0", "event 1", "event 2", "event 3"]);
    daemon.cut();
    // Committed while nobody listens.
    device.add(4);
    device.add(5);
    expect(await readUntil(frames, "event 5")).toEqual(["session 3", "event 4", "event 5"]);
    expect(device.watchedFrom).toEqual([0, 3]);
    // Whoever listens is asked again before the token is sent again.
    expect(daemon.asked.map((each) => new URL(each.url, daemon.url).pathname)).toEqual([
      "/hello",
      "/trpc/sessions.watch",
      "/hello",
      "/trpc/sessions.watch",
    ]);
    await frames.return?.();
  });

  test("F33: a daemon that is gone ends the stream, it is not asked for ever", async () => {
    const { daemon, frames } = await watch();
    await readUntil(frames, "event 3");
    await daemon.close();
    const error = await frames.next().catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: "unreachable" });
  });

  test("an unknown session ends the stream with not_found", async () => {
    const { frames } = await watch(0, "3f0f3e1e-0000-4000-8000-00000000ffff");
    const error = await frames.next().catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: "not_found", message: expect.stringContaining("There is no session") });
  });

  test("F33: the daemon's own iteration ends when the watcher leaves", async () => {
    const device = memoryDevice();
    const ended = new Promise<void>((resolve) => {
      const { watch: inner } = device.ports.sessions;
      device.ports.sessions.watch = (query, signal) => {
        signal.addEventListener("abort", () => resolve(), { once: true });
        return inner(query, signal);
      };
    });
    open = await httpDaemon(device.ports);
    const client = createLocalClient({ url: open.url, token: TOKEN, helloTimeoutMs: 60_000 });
    for await (const frame of client.sessions.watch.subscribe({ sessionId: SESSION_ID })) {
      // An abort has to work however long ago the request was made: Node may forget it with the garbage.
      if (shortOf(frame) !== "event 3") continue;
      collectGarbage();
      break;
    }
    await ended;
  });
});
