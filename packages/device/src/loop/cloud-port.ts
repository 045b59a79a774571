import { CloudCallError } from "@codehands/api/cloud-client";
import type {
  CompactRequest,
  HelloRequest,
  PullPage,
  PullRequest,
  PushRequest,
  SegmentsRequest,
} from "@codehands/contracts";
import type { CloudPort } from "@codehands/sync";
import { toBase64url } from "@codehands/vault";
import { DeviceError } from "../device-error.ts";
import type { DeviceCalls } from "../keys/device-calls.ts";

export interface CloudPortDeps {
  calls: DeviceCalls;
  me: string;
  /** Reads the roster on; it knows what follows from a newer one. */
  pullRoster: () => Promise<void>;
  /** The newest statement that is held. */
  rosterSeq: () => number;
  /** A process begins to speak. */
  onHello: () => void;
  /** A page is about to be applied. */
  onPage: (page: { head: number; fromOthers: boolean }) => void;
  /** What a request ended with; null when it was answered. */
  onAnswer: (error: unknown) => void;
  /** The cloud holds more of an own log than this database (V25). */
  onOwnSegments: (streamId: string) => Promise<void>;
  /** The push was sealed under an older key epoch, and the newer one is known now. */
  onStaleEpoch: () => Promise<void>;
  sleep: (ms: number) => Promise<void>;
  now: () => number;
}

const REVOKED = { answer: "REVOKED" } as const;
const MOST_STALE = 3;
const STALE = "The cloud wants a newer key than it shows. Nothing was sent; it is tried again.";
const UNKNOWN = "The cloud does not know this device. Pair it again; everything here is kept.";

/** A cloud whose answers never fit makes a device ask for everything again and again: then more and more slowly. */
class Restarts {
  #count = 0;
  #last = Number.NEGATIVE_INFINITY;

  /** How long to wait before asking for everything, milliseconds. */
  pause(now: number): number {
    this.#count = now - this.#last > CALM_MS ? 1 : this.#count + 1;
    this.#last = now;
    return this.#count <= FREE_RESTARTS ? 0 : Math.min(60_000, 500 * 2 ** Math.min(this.#count - FREE_RESTARTS, 10));
  }
}
const CALM_MS = 5 * 60_000;
const FREE_RESTARTS = 5;

/** The cloud as the sync speaks to it, over the typed client: the roster comes before whatever it is needed for (V9). */
export function createCloudPort(deps: CloudPortDeps): CloudPort {
  const { calls } = deps;
  let notBefore = 0;
  let unknown = false;
  let stale = 0;
  const restarts = new Restarts();

  /** One request. A cloud that asks for a pause gets it before the next one. */
  async function ask<T>(request: () => Promise<T>): Promise<T | typeof REVOKED> {
    const pause = notBefore - deps.now();
    if (pause > 0) await deps.sleep(pause);
    try {
      const answer = await request();
      deps.onAnswer(null);
      return answer;
    } catch (error) {
      if (error instanceof DeviceError && error.code === "revoked") return REVOKED;
      deps.onAnswer(error);
      if (error instanceof CloudCallError && error.retryAfter !== null)
        notBefore = deps.now() + error.retryAfter * 1_000;
      throw error;
    }
  }
  /** A page is handed on once the roster is known that it stands on. */
  async function receive(page: PullPage): Promise<void> {
    if (page.rosterSeq !== deps.rosterSeq()) await deps.pullRoster();
    deps.onPage({ head: page.head, fromOthers: page.rows.some(({ writer }) => writer !== deps.me) });
  }

  return {
    hello: (request: HelloRequest) =>
      ask(async () => {
        deps.onHello();
        // First of all: a cloud that was restored learns here whom it lost.
        await deps.pullRoster();
        const reply = await calls.call((client) => client.sync.hello.mutate(request));
        const again = unknown && reply.answer === "UNKNOWN";
        unknown = reply.answer === "UNKNOWN";
        if (again) throw new DeviceError("unknown_device", UNKNOWN);
        return reply;
      }),

    pull: (request: PullRequest) =>
      ask(async () => {
        const pause = request.since === null ? restarts.pause(deps.now()) : 0;
        if (pause > 0) await deps.sleep(pause);
        const page = await calls.call((client) => client.sync.pull.query(request));
        if (!("rows" in page)) return page;
        await receive(page);
        return page;
      }),

    push: (request: PushRequest, blob: Uint8Array) =>
      ask(async () => {
        const reply = await calls.call((client) => client.sync.push.mutate({ ...request, blob: toBase64url(blob) }));
        if ("refused" in reply) {
          if (reply.refused === "STALE_EPOCH") {
            await deps.pullRoster();
            await deps.onStaleEpoch();
            stale += 1;
            // It was sealed under the newest key that the cloud shows: asking at once again leads nowhere.
            if (stale > MOST_STALE) throw new DeviceError("refused", STALE);
          }
          return reply;
        }
        stale = 0;
        if ("logs" in reply && reply.page) await receive(reply.page);
        return reply;
      }),

    segments: (request: SegmentsRequest) =>
      ask(async () => {
        await deps.onOwnSegments(request.streamId);
        return calls.call((client) => client.sync.segments.query(request));
      }),

    compact: (request: CompactRequest, body: Uint8Array) =>
      ask(() => calls.call((client) => client.sync.compact.mutate({ ...request, body: toBase64url(body) }))),
  };
}
