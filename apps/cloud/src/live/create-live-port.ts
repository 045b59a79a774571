import type { LivePoke, LivePort } from "@codehands/api/cloud";
import type { Sql } from "postgres";
import { whenReachable } from "../database/when-reachable.ts";
import type { PokeBus } from "./poke-bus.ts";

export interface LiveDeps {
  sql: Sql;
  bus: PokeBus;
  /** Aborted when this server stops: every stream says `bye` and ends. */
  stopping: AbortSignal;
}

/** Streams of pokes. A slow reader is told the newest head only; nothing piles up for it. */
export function createLivePort({ sql, bus, stopping }: LiveDeps): LivePort {
  return {
    async *watch(device, signal): AsyncGenerator<LivePoke> {
      const heard = { head: -1, cut: false, wake: () => {} };
      const wake = () => heard.wake();
      const unlisten = bus.listen(device.accountId, {
        onPoke({ head }) {
          heard.head = Math.max(heard.head, head);
          wake();
        },
        onCut(deviceId) {
          heard.cut ||= deviceId === device.deviceId;
          wake();
        },
      });
      signal.addEventListener("abort", wake);
      stopping.addEventListener("abort", wake);
      try {
        // Asked after the listening began, so that nothing falls between the two.
        const head = await whenReachable(() => readHead(sql, device));
        if (head === null) return;
        heard.head = Math.max(heard.head, head);
        for (let told = -1; !signal.aborted && !heard.cut && !stopping.aborted; ) {
          if (heard.head > told) {
            told = heard.head;
            yield { kind: "head", head: told };
          } else {
            await new Promise<void>((resolve) => {
              heard.wake = resolve;
            });
          }
        }
        if (stopping.aborted && !signal.aborted && !heard.cut) yield { kind: "bye" };
      } finally {
        unlisten();
        signal.removeEventListener("abort", wake);
        stopping.removeEventListener("abort", wake);
      }
    },
  };
}

/** Null when the device is not there any more, or was cut off. */
async function readHead(sql: Sql, device: { accountId: string; deviceId: string }): Promise<number | null> {
  const [row] = await sql<{ head: number }[]>`
    select head from accounts join devices on devices.account_id = accounts.id
    where accounts.id = ${device.accountId} and devices.id = ${device.deviceId} and devices.revoked_at is null`;
  return row?.head ?? null;
}
