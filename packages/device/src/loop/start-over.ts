import { Draft } from "@codehands/sync";
import type { DeviceStore } from "../ports/device-store.ts";

/**
 * S10, asked for here: what the cloud said is forgotten and all of it is asked for again, as after a restore of the cloud.
 * Nothing that is held here is lost.
 */
export function startOver(store: DeviceStore): Promise<void> {
  return store.apply({}, (view) => {
    const draft = new Draft(view);
    if (draft.state.epoch === "") return { changes: [], result: undefined };
    draft.forgetRows();
    Object.assign(draft.state, { gen: draft.state.gen + 1, cursor: 0, reset: { since: null, reason: "lineage" } });
    return { changes: draft.changes(), result: undefined };
  });
}
