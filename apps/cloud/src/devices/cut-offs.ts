import type { DeviceCaller } from "@codehands/api/cloud";

/** A device that was cut off hears it within this, whichever server of the cloud it is connected to. */
const EVERY_MS = 700;

export interface CutOffDeps {
  /** Of these devices, those that were cut off or are gone. */
  cutOffAmong: (devices: readonly DeviceCaller[]) => Promise<DeviceCaller[]>;
  onFault: (error: unknown) => void;
}

/** Asks for all devices with an open stream at once, as long as there are any: one question however many they are. */
export function openCutOffs({ cutOffAmong, onFault }: CutOffDeps) {
  const watched = new Map<() => void, DeviceCaller>();
  let timer: NodeJS.Timeout | null = null;
  const nameOf = ({ accountId, deviceId }: DeviceCaller): string => `${accountId} ${deviceId}`;

  async function ask(): Promise<void> {
    try {
      const cut = new Set((await cutOffAmong([...watched.values()])).map(nameOf));
      for (const [tell, device] of watched) if (cut.has(nameOf(device))) tell();
    } catch (error) {
      onFault(error);
    }
    timer = watched.size === 0 ? null : setTimeout(() => void ask(), EVERY_MS);
  }

  return {
    /** Calls `tell` once the device is cut off. Returns how to stop watching. */
    watch(device: DeviceCaller, tell: () => void): () => void {
      watched.set(tell, device);
      timer ??= setTimeout(() => void ask(), EVERY_MS);
      return () => {
        watched.delete(tell);
      };
    },
  };
}
