import { type EpochRoot, Keyring, type Roster } from "@codehands/vault";
import type { KeptRoot } from "../ports/key-store.ts";

/** The keyring of roots that were kept by an earlier process. Throws BAD_ROOT for bytes that are not this roster's. */
export async function restoreKeyring(roster: Roster, kept: readonly KeptRoot[]): Promise<Keyring> {
  const ring = new Keyring(roster.vault);
  for (const root of kept)
    if ("root" in root) await ring.add(roster, root);
    else ring.restore(root.epoch, root.key);
  return ring;
}

/** Takes roots into the keyring, and returns all that is to be kept: bytes only where this place may keep bytes. */
export async function keepRoots(
  { roster, ring, asBytes }: { roster: Roster; ring: Keyring; asBytes: boolean },
  kept: readonly KeptRoot[],
  fresh: readonly EpochRoot[],
): Promise<KeptRoot[]> {
  const all = new Map(kept.map((root) => [root.epoch, root]));
  for (const { epoch, root } of fresh) {
    const key = await ring.add(roster, { epoch, root });
    all.set(epoch, asBytes ? { epoch, root } : { epoch, key });
  }
  return [...all.values()].sort((a, b) => a.epoch - b.epoch);
}

/** The roots as bytes, which only a device that keeps bytes can hand on; null when one of them is none. */
export function rootBytes(kept: readonly KeptRoot[], epoch: number): EpochRoot[] | null {
  const roots = kept.flatMap((root) => ("root" in root ? [root] : []));
  const held = new Set(roots.map((root) => root.epoch));
  for (let each = 1; each <= epoch; each++) if (!held.has(each)) return null;
  return roots;
}
