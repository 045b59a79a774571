/** A cloud's HTTP with a live port of the test's own, on which `live.watch` can be asked both ways. */
import { BlockList } from "node:net";
import type { AccountCaller, CloudPorts, LivePoke } from "@codehands/api/cloud";
import { type CloudClient, createCloudClient } from "@codehands/api/cloud-client";
import { openReadiness } from "../health/readiness.ts";
import { openLog } from "../logs/open-log.ts";
import type { OpenParts } from "./cloud-app.ts";
import { openHttp } from "./open-http.ts";

export const TOKEN = "A".repeat(43);
export const PATHS = ["connection", "router"] as const;
export type Path = (typeof PATHS)[number];

/** What a stream says; it may throw, and it is told when its reader leaves. */
export type Watch = (signal: AbortSignal) => AsyncIterable<LivePoke>;

export interface LivePaths {
  log: string[];
  /** Set before a stream is opened. */
  says(watch: Watch): void;
  /** Whoever comes with TOKEN, once that is known. */
  caller(caller: AccountCaller | Promise<AccountCaller>): void;
  /** How often it was asked whose a token is. */
  lookups(): number;
  starting(is: boolean): void;
  client(path: Path): CloudClient;
  /** The address of a stream. */
  address(path: Path, query?: string): string;
  streams(): number;
  close(): Promise<void>;
}

/** A device of an account. */
export const DEVICE: AccountCaller = { kind: "device", accountId: "account", deviceId: "device" };

/** Opens it. An address that says more than an input is answered by the router. */
export async function openLivePaths(): Promise<LivePaths> {
  const now: { caller: AccountCaller | Promise<AccountCaller>; starting: boolean; watch: Watch } = {
    caller: DEVICE,
    starting: false,
    watch: async function* () {},
  };
  const log: string[] = [];
  let lookups = 0;
  const ofToken = async (token: string): Promise<AccountCaller | null> => {
    lookups += 1;
    return token === TOKEN ? now.caller : null;
  };
  // Nothing else is asked here.
  const parts: Pick<OpenParts, "callers"> & { ports: Pick<CloudPorts, "live"> } = {
    ports: { live: { watch: (_device, signal) => now.watch(signal) } },
    callers: { ofToken, ofLogin: async () => null },
  };
  const http = await openHttp({
    host: "127.0.0.1",
    port: 0,
    tls: null,
    origins: (port) => [`http://127.0.0.1:${port}`],
    parts: () => (now.starting ? null : (parts as OpenParts)),
    readiness: openReadiness(() => null),
    trustedProxies: new BlockList(),
    version: "1.0.0",
    log: openLog({ level: "info", write: (line) => log.push(line) }),
  });
  const url = `http://127.0.0.1:${http.port}`;
  const more = (path: Path): string => (path === "router" ? "&by=router" : "");
  return {
    log,
    says: (watch) => {
      now.watch = watch;
    },
    caller: (caller) => {
      now.caller = caller;
    },
    lookups: () => lookups,
    starting: (is) => {
      now.starting = is;
    },
    client: (path) =>
      createCloudClient({
        url,
        token: () => TOKEN,
        fetch: (to, init) => fetch(`${new Request(to).url}${more(path)}`, init),
      }),
    address: (path, query = "input=%7B%7D") => `${url}/trpc/live.watch?${query}${more(path)}`,
    streams: http.streams,
    close: () => http.drain(0),
  };
}
