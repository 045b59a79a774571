import { type LocalSyncPort, SYNC_OFF, type SyncView } from "@codehands/api";
import { becomeNewDevice } from "../account/become-new-device.ts";
import type { DeviceHome } from "../home.ts";
import type { SyncLoop } from "./sync-loop.ts";

/** The exchange with the cloud, as a person steers it. Without an account every call answers that it is off. */
export function createSyncPort(home: DeviceHome): LocalSyncPort {
  const view = async (): Promise<SyncView> => {
    if (home.loop) return home.loop.view();
    return home.broken ? { ...SYNC_OFF, state: "stopped", error: home.broken.reason } : SYNC_OFF;
  };
  const after = (work: (loop: SyncLoop) => Promise<void>) => async (): Promise<SyncView> => {
    if (home.loop) await work(home.loop);
    return view();
  };
  return {
    status: view,
    now: after((loop) => loop.now()),
    pause: after((loop) => loop.pause()),
    resume: after((loop) => loop.resume()),
    reset: after((loop) => loop.reset()),
    acknowledge: after((loop) => loop.acknowledge()),
    async identity({ as }) {
      const { loop } = home;
      const state = await view();
      // Only somebody who was asked has to answer.
      if (!loop || state.ask !== "copy") return state;
      if (as === "this") await loop.adopt();
      else {
        const refused = await home.inTurn(() => becomeNewDevice(home));
        if (refused) return { ...(await view()), error: refused };
      }
      return view();
    },
  };
}
