import { type Change, recordKey } from "@codehands/sync";
import type { Touched } from "../ports/device-store.ts";

/** What a commit of these writes touched. */
export function touchedBy(changes: readonly Change[]): Touched {
  const records = new Set<string>();
  const logs = new Set<string>();
  for (const change of changes)
    switch (change.op) {
      case "record":
        records.add(recordKey(change.record));
        break;
      case "forget-record":
        records.add(recordKey(change.key));
        break;
      case "log":
        logs.add(change.log.streamId);
        break;
      case "append":
      case "cut":
      case "wait":
      case "unwait":
        logs.add(change.streamId);
        break;
      case "forked":
        logs.add(change.from).add(change.streamId);
        break;
      case "state":
      case "forget-rows":
      case "accept":
        break;
    }
  return { records: [...records], logs: [...logs] };
}
