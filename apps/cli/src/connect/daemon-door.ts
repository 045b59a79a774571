import type { LocalClient } from "@codehands/api/client";
import type { EnsureOptions } from "./ensure-daemon.ts";
import type { Daemon, Found } from "./find-daemon.ts";
import type { Stopped } from "./stop-daemon.ts";

/** How a command reaches the daemon. */
export interface DaemonDoor {
  /** The running daemon, started when there is none. */
  open(): Promise<Daemon>;
  /** The running daemon's calls, as `open`. */
  client(): Promise<LocalClient>;
  /** Looks, and starts nothing. */
  find(): Promise<Found>;
  stop(): Promise<Stopped>;
}

/** Makes the door. The code behind it is loaded when it is opened: a command that needs no daemon does not pay. */
export function daemonDoor(o: EnsureOptions): DaemonDoor {
  const open = async (): Promise<Daemon> => (await import("./ensure-daemon.ts")).ensureDaemon(o);
  return {
    open,
    client: async () => (await open()).client,
    find: async () => (await import("./find-daemon.ts")).findDaemon(o),
    stop: async () => (await import("./stop-daemon.ts")).stopDaemon(o),
  };
}
