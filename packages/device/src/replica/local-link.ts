import type { LocalPorts } from "@codehands/api";
import type { LocalClient } from "@codehands/api/client";
import { createInProcessClient, createLocalRouter } from "@codehands/api/local";
import type { Device } from "../device.ts";
import { DeviceError } from "../device-error.ts";
import type { DeviceStore } from "../ports/device-store.ts";
import { reposOfAccount } from "./repos-of-account.ts";

/** The device and its database; what a person of this page sees goes through them. */
export interface LinkedDevice {
  device: Device;
  store: DeviceStore;
  /** Told of bugs that stopped a call. */
  onFault?: (fault: { path: string; error: unknown }) => void;
}

const NO_AGENTS = "This device runs no agents and has no checkouts: do this on the device where the repository lies.";

/**
 * The client that a page beside a daemon has, over a device without one: the same routers run in this process. Its caller
 * is the person. What takes a checkout or an agent is refused with a sentence.
 */
export function linkDevice({ device, store, onFault }: LinkedDevice): LocalClient {
  const context = { ports: portsOf(device, store), caller: { runId: null } };
  return createInProcessClient(createLocalRouter(), context, onFault);
}

function portsOf(device: Device, store: DeviceStore): LocalPorts {
  const elsewhere = (): Promise<never> => Promise.reject(new DeviceError("not_found", NO_AGENTS));
  const refused = async () => ({ ok: false as const, reason: NO_AGENTS });
  const { sessions, account, pair, devices, sync } = device;
  return {
    sessions,
    account,
    pair,
    devices,
    sync,
    repos: {
      list: () => reposOfAccount(store),
      trustState: elsewhere,
      trust: elsewhere,
      untrust: elsewhere,
      sample: elsewhere,
      relocate: refused,
    },
    health: { health: elsewhere, doctor: elsewhere, shutdown: elsewhere },
    settings: { list: async () => [], get: async () => null, set: refused, unset: refused },
    usage: { report: elsewhere },
    agents: { list: async () => [], preferred: elsewhere },
  };
}
