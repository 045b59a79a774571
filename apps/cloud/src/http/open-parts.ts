import type { CloudPorts } from "@codehands/api/cloud";
import { createAccountsPort } from "../accounts/accounts-port.ts";
import { findLogin } from "../accounts/find-login.ts";
import { openAuth } from "../accounts/open-auth.ts";
import { startSweeping } from "../accounts/sweep-expired.ts";
import type { CloudDatabase } from "../database/open-cloud-database.ts";
import { whenReachable } from "../database/when-reachable.ts";
import { deviceOfToken } from "../devices/access-tokens.ts";
import { cutOffAmong } from "../devices/device-rows.ts";
import { createDevicesPort } from "../devices/devices-port.ts";
import { guardStreams } from "../devices/guard-streams.ts";
import { openLimits } from "../limits/open-limits.ts";
import { createLivePort } from "../live/create-live-port.ts";
import { createMemoryPokeBus } from "../live/poke-bus.ts";
import type { Log } from "../logs/open-log.ts";
import { createPairingPort } from "../pairing/pairing-port.ts";
import { createRosterPort } from "../roster/roster-port.ts";
import { openRosterStore } from "../roster/roster-store.ts";
import { createSyncPort } from "../sync/create-sync-port.ts";
import type { OpenParts } from "./cloud-app.ts";

export interface PartsOptions {
  database: CloudDatabase;
  origins: readonly string[];
  secret: string;
  signUp: "open" | "closed";
  log: Log;
  /** Aborted when this server stops: streams say bye. */
  stopping: AbortSignal;
  /** How long one stream may live. */
  streamMs: number;
}

export interface RunningParts extends OpenParts {
  /** Streams of pokes, and those that listen for them. */
  listeners(): { streams: number; bus: number };
  close(): Promise<void>;
}

/** Puts together everything that answers, over one open database. */
export function openParts(options: PartsOptions): RunningParts {
  const { log, origins, stopping } = options;
  const { sql, db } = options.database;
  const bus = createMemoryPokeBus();
  const limits = openLimits(sql);
  const rosters = openRosterStore(sql);
  const auth = openAuth({ db, origins, secret: options.secret, signUp: options.signUp, log });
  const live = guardStreams(createLivePort({ sql, bus, stopping }), {
    cutOffAmong: (devices) => cutOffAmong(sql, devices),
    onFault: (error) => log.warn({ error }, "could not ask which devices were cut off"),
    longestMs: options.streamMs,
  });
  const cut = (accountId: string, deviceId: string): void => bus.cut(accountId, deviceId);
  const sweeping = startSweeping(sql, (error) => log.warn({ error }, "could not remove what has expired"));
  const ports: CloudPorts = {
    accounts: reachable(createAccountsPort(sql)),
    devices: reachable(createDevicesPort({ sql, limits, rosters, origins, cut })),
    roster: reachable(createRosterPort({ sql, rosters })),
    pairing: reachable(createPairingPort({ sql, limits, rosters })),
    sync: createSyncPort(sql, { bus }),
    live,
  };
  return {
    ports,
    callers: {
      ofToken: (token) => whenReachable(() => deviceOfToken(sql, token)),
      ofLogin: (headers) => whenReachable(() => findLogin(headers, { auth, sql })),
    },
    auth: { auth, sql, limits, signUp: options.signUp },
    listeners: () => ({ streams: live.count(), bus: bus.listeners() }),
    close: () => sweeping.stop(),
  };
}

/** The same port, of which each call says `unavailable` when the database is away. */
function reachable<Port extends object>(port: Port): Port {
  return new Proxy(port, {
    get(target, name, receiver) {
      const call: unknown = Reflect.get(target, name, receiver);
      if (typeof call !== "function") return call;
      return (...given: unknown[]) => whenReachable(async () => Reflect.apply(call, target, given) as unknown);
    },
  });
}
