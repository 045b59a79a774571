import { Draft, followLog, type HeldLog } from "@codehands/sync";
import type { DeviceStore } from "../ports/device-store.ts";

/** A log that somebody wants to read. */
export type LogName = Pick<HeldLog, "streamId" | "kind" | "writer">;

/**
 * Asks for the events of a log (S35), and says whether anything changed by that: then the sync has to be woken. A log
 * that is followed already costs one read.
 */
export async function openLog(store: DeviceStore, name: LogName): Promise<boolean> {
  const held = await store.logOf(name.streamId);
  if (held?.followed || held?.dead) return false;
  return store.apply({ logs: [name.streamId] }, (view) => {
    const draft = new Draft(view);
    followLog(draft, name);
    return { changes: draft.changes(), result: true };
  });
}
