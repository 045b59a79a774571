import { u32 } from "../bytes/big-endian.ts";
import { equalBytes, joinBytes } from "../bytes/join-bytes.ts";
import { label } from "../bytes/label.ts";
import { hkdf } from "../primitives/hash.ts";
import { type RandomBytes, randomBytes } from "../primitives/web-crypto.ts";
import { fail } from "../vault-error.ts";

/** A root key of an epoch, 32 random bytes. */
export const newRoot = (random: RandomBytes = randomBytes): Uint8Array => random(32);

/** What the roster says about a root without telling it (V10). */
export function commitRoot(root: Uint8Array, epoch: number): Promise<Uint8Array> {
  return hkdf(root, new Uint8Array(0), joinBytes(label("commit"), u32(epoch)));
}

/** Throws BAD_ROOT unless the roster's commitment of that epoch is to this root (V10). */
export async function checkRoot(
  { epoch, root }: { epoch: number; root: Uint8Array },
  commits: ReadonlyMap<number, Uint8Array>,
): Promise<void> {
  const commit = commits.get(epoch);
  if (commit === undefined || root.length !== 32 || !equalBytes(await commitRoot(root, epoch), commit))
    fail("BAD_ROOT", `epoch ${epoch}`);
}
