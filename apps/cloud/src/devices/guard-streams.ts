import type { DeviceCaller, LivePoke, LivePort } from "@codehands/api/cloud";
import { CloudError } from "../http/cloud-error.ts";
import { type CutOffDeps, openCutOffs } from "./cut-offs.ts";

export interface GuardDeps extends CutOffDeps {
  /** A stream says bye after this, so that a token that has expired does not live on in it. */
  longestMs: number;
}

export interface GuardedStreams extends LivePort {
  /** Streams that are open now. */
  count(): number;
}

/** Ends streams that outlived what they were opened with: of a device that was cut off, and of an access token. */
export function guardStreams(live: LivePort, deps: GuardDeps): GuardedStreams {
  const cutOffs = openCutOffs(deps);
  const open = new Set<symbol>();

  async function* watch(device: DeviceCaller, signal: AbortSignal): AsyncGenerator<LivePoke> {
    const stream = Symbol(device.deviceId);
    const end = new AbortController();
    let why: "cut off" | "bye" | null = null;
    const endFor = (reason: "cut off" | "bye") => (): void => {
      why ??= reason;
      end.abort();
    };
    open.add(stream);
    // Not `AbortSignal.any`, which keeps a net of weak references for each stream.
    const leave = (): void => end.abort();
    signal.addEventListener("abort", leave);
    if (signal.aborted) leave();
    const forget = cutOffs.watch(device, endFor("cut off"));
    const hour = setTimeout(endFor("bye"), deps.longestMs);
    try {
      yield* live.watch(device, end.signal);
      // Said here because the inner stream ends without a word.
      if (why === "cut off") throw new CloudError("cut_off", "This device was cut off. What it holds is kept.");
      if (why === "bye") yield { kind: "bye" };
    } finally {
      signal.removeEventListener("abort", leave);
      open.delete(stream);
      clearTimeout(hour);
      forget();
    }
  }

  return { watch, count: () => open.size };
}
