import type { AccountCaller } from "@codehands/api/cloud";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { CloudError } from "./cloud-error.ts";
import { DEVICE, type LivePaths, openLivePaths, PATHS, type Path, TOKEN, type Watch } from "./live-paths.test-kit.ts";

let live: LivePaths;
beforeAll(async () => {
  live = await openLivePaths();
});
beforeEach(() => {
  live.starting(false);
  live.caller({ kind: "device", accountId: "account", deviceId: "device" });
});
afterAll(() => live.close());

const storyWith = (end: () => void): Watch =>
  async function* () {
    yield { kind: "head", head: 0 };
    yield { kind: "head", head: 7 };
    end();
    yield { kind: "bye" };
  };
const STORIES: [string, Watch][] = [
  ["heads and bye", storyWith(() => {})],
  ["a stream of which nothing comes", async function* () {}],
  [
    "a device that is cut off",
    storyWith(() => {
      throw new CloudError("cut_off", "This device was cut off. What it holds is kept.");
    }),
  ],
  [
    "a fault of ours",
    storyWith(() => {
      throw new RangeError("planted words of a bug");
    }),
  ],
];

/** What the typed client is told of a stream, until its first end. */
function told(path: Path): Promise<unknown[]> {
  const said: unknown[] = [];
  return new Promise((resolve) => {
    const ended = (why: unknown) => {
      resolve([...said, why]);
      subscription.unsubscribe();
    };
    const subscription = live.client(path).live.watch.subscribe(
      {},
      {
        onConnectionStateChange({ state, error }) {
          // What may be better the next time is tried again.
          if (state === "connecting" && error !== null) ended(error.message);
          else said.push(state);
        },
        onData: (event) => said.push(event),
        onComplete: () => ended("complete"),
        onError: ({ message, data }) => ended({ message, data }),
      },
    );
  });
}

/** An answer without what differs from one answer to the next. */
async function answered(path: Path, { query, headers }: { query?: string; headers?: Record<string, string> } = {}) {
  const answer = await fetch(live.address(path, query), { headers: { authorization: `Bearer ${TOKEN}`, ...headers } });
  const said = [...answer.headers].filter(([name]) => !["date", "x-request-id"].includes(name));
  return { status: answer.status, headers: Object.fromEntries(said), body: await answer.text() };
}

const bothWays = async <T>(ask: (path: Path) => Promise<T>): Promise<[T, T]> => {
  const [first, second] = [await ask(PATHS[0]), await ask(PATHS[1])];
  return [first, second];
};

describe("the stream that is written straight to the connection is the router's", () => {
  test.each(STORIES)("%s: to the letter, and to the typed client", async (_name, watch) => {
    live.says(watch);
    const [bytes, routersBytes] = await bothWays((path) => answered(path));
    expect(bytes).toEqual(routersBytes);
    expect(bytes).toMatchObject({ status: 200, headers: { "content-type": "text/event-stream" } });
    const [events, routersEvents] = await bothWays(told);
    expect(events).toEqual(routersEvents);
  });

  test("C101 heads and bye have the newest head as their id, and a fault's own words stay here", async () => {
    live.says(storyWith(() => {}));
    expect(await told("connection")).toEqual([
      "connecting",
      "pending",
      { id: "0", data: { kind: "head", head: 0 } },
      { id: "7", data: { kind: "head", head: 7 } },
      { id: "7", data: { kind: "bye" } },
      "idle",
      "complete",
    ]);
    const [, fault] = STORIES.at(-1) ?? [];
    if (fault !== undefined) live.says(fault);
    const { body } = await answered("connection");
    expect(body).toContain("event: serialized-error");
    expect(body).not.toContain("planted words");
    expect(live.log.join("")).toContain("planted words");
  });

  test.each([
    { query: "input=%7B%22lastEventId%22%3A%2212%22%7D" },
    { headers: { "last-event-id": "12" } },
    { query: "input=%7B%22lastEventId%22%3A%225%22%7D", headers: { "last-event-id": "12" } },
  ])("who comes back goes on where it was: %j", async (asked) => {
    live.says(async function* () {
      yield { kind: "bye" };
    });
    const [bytes, routersBytes] = await bothWays((path) => answered(path, asked));
    expect(bytes).toEqual(routersBytes);
    expect(bytes.body).toContain("id: 12\n");
  });

  test.each([
    ["no token", "UNAUTHORIZED", { headers: { authorization: "" } }],
    ["a token that does not count", "UNAUTHORIZED", { headers: { authorization: `Bearer ${"B".repeat(43)}` } }],
    ["an input that does not fit", "BAD_REQUEST", { query: "input=%7B%22lastEventId%22%3A1%7D" }],
    ["an input that is no JSON", "BAD_REQUEST", { query: "input=%7B" }],
    ["no input", "BAD_REQUEST", { query: "other=1" }],
    ["an id that is none", "BAD_REQUEST", { headers: { "last-event-id": "x" } }],
  ])("%s is refused the same way", async (_name, code, asked) => {
    const [refusal, routersRefusal] = await bothWays((path) => answered(path, asked));
    expect(refusal).toEqual(routersRefusal);
    expect(refusal.body).toContain(`"code":"${code}"`);
  });

  test("a login, and a cloud that starts, are answered the same way", async () => {
    live.caller({ kind: "login", accountId: "account" });
    const [login, routersLogin] = await bothWays((path) => answered(path));
    expect(login).toEqual(routersLogin);
    expect(login.body).toContain('"code":"FORBIDDEN"');
    live.starting(true);
    const [starting, routersStarting] = await bothWays((path) => answered(path));
    expect(starting).toEqual(routersStarting);
    expect(starting.status).toBe(503);
  });

  test.each(PATHS)("a reader that leaves ends the stream (%s)", async (path) => {
    let ended = false;
    live.says(async function* (signal) {
      yield { kind: "head", head: 1 };
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      ended = true;
    });
    const leave = new AbortController();
    const headers = { authorization: `Bearer ${TOKEN}` };
    const answer = await fetch(live.address(path), { headers, signal: leave.signal });
    expect([answer.status, live.streams()]).toEqual([200, 1]);
    leave.abort();
    await expect.poll(() => [ended, live.streams()]).toEqual([true, 0]);
  });

  test("a reader that leaves before it is known who it was leaves no ping behind", async () => {
    live.says(async function* () {});
    const beats = vi.spyOn(globalThis, "setInterval");
    let known = (_caller: AccountCaller) => {};
    live.caller(
      new Promise((resolve) => {
        known = resolve;
      }),
    );
    const [asked, closed] = [live.lookups(), live.log.length];
    const leave = new AbortController();
    const headers = { authorization: `Bearer ${TOKEN}` };
    const answer = fetch(live.address("connection"), { headers, signal: leave.signal }).catch(() => "left");
    await expect.poll(() => live.lookups()).toBe(asked + 1);
    leave.abort();
    expect(await answer).toBe("left");
    await expect.poll(() => live.log.length).toBe(closed + 1);
    known(DEVICE);
    live.caller(DEVICE);
    // One that stays has its ping, and it alone.
    await answered("connection");
    expect(beats.mock.calls.filter(([, ms]) => ms === 10_000)).toHaveLength(1);
    beats.mockRestore();
  });
});
