import { startEpoch, toBase64url } from "@codehands/vault";
import { DeviceError } from "../device-error.ts";
import type { DeviceHome } from "../home.ts";
import { extendTogether, planned } from "../roster/extend-together.ts";
import { makeCode } from "./make-code.ts";

/** Replaces the recovery code of this device's vault: a new recovery key and a new key epoch in one statement (V34). */
export async function renewCode({ member, loop, options }: DeviceHome): Promise<string> {
  if (!member || !loop) throw new DeviceError("no_account", "There is no account on this device.");
  const { code, keys: recovery } = await makeCode();
  await extendTogether({ member, loop }, async (roster) => {
    if (toBase64url(roster.recovery.sign) === toBase64url(recovery.sign.publicKey)) return null;
    const { roots, id, keys } = member;
    if (!roots) throw new DeviceError("no_keys", "This device cannot hand keys on, so it can make no recovery code.");
    const at = options.clock();
    return planned(() => startEpoch({ roster, by: id, keys, at, ops: [], recovery: { keys: recovery, roots } }));
  });
  return code;
}
