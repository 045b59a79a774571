import { becomeNew, Draft } from "@codehands/sync";
import type { DeviceStore } from "../ports/device-store.ts";

/** From now on this database's own rows are written as this device. */
export function actAs(store: DeviceStore, deviceId: string): Promise<void> {
  return store.apply({ dirty: Number.MAX_SAFE_INTEGER }, (view) => {
    if (view.state.deviceId === deviceId) return { changes: [], result: undefined };
    const draft = new Draft(view);
    becomeNew(draft, deviceId);
    return { changes: draft.changes(), result: undefined };
  });
}
