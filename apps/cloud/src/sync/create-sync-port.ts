import type { SyncPort } from "@codehands/api/cloud";
import type { Sql } from "postgres";
import { whenReachable } from "../database/when-reachable.ts";
import type { PokeBus } from "../live/poke-bus.ts";
import { compact } from "./compact.ts";
import { hello } from "./hello.ts";
import { pull } from "./pull.ts";
import { push } from "./push.ts";
import { readSegments } from "./segments.ts";

/**
 * Push and pull over the database. Every call is one statement for each thing it does; nothing is held between two calls,
 * so any number of servers may stand on one database. Throws CloudError `unavailable` when the database is away.
 */
export function createSyncPort(sql: Sql, deps: { bus: PokeBus }): SyncPort {
  return {
    hello: (device, asked) => whenReachable(() => hello(sql, device, asked)),
    pull: (device, request) =>
      whenReachable(
        // An account that is gone has no lineage: hello says so.
        async () => (await pull(sql, device.accountId, request)) ?? { reset: "boot" },
      ),
    push: (device, batch) =>
      whenReachable(() => {
        const { accountId, deviceId } = device;
        const committed = (head: number) => deps.bus.poke(accountId, { head });
        return push({ sql, accountId, deviceId, committed }, batch);
      }),
    segments: (device, request) => whenReachable(() => readSegments(sql, device.accountId, request)),
    compact: (device, request) => whenReachable(() => compact(sql, device, request)),
  };
}
