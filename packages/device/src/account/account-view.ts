import { type AccountView, SIGNED_OUT } from "@codehands/api";
import type { DeviceHome } from "../home.ts";
import { ASKS } from "../loop/read-sync-view.ts";
import { explainStop } from "../roster/stop-code.ts";

const LOCKED =
  "Logged in. To read anything here, let this device in from another one (`codehands pair`), or use the recovery code.";

/** The account as a person is told of it. */
export async function accountView({ member, locked, broken, loop }: DeviceHome): Promise<AccountView> {
  if (broken) {
    const { cloudUrl, email, deviceId } = broken.account;
    return { ...SIGNED_OUT, state: "stopped", cloudUrl, email, deviceId, reason: broken.reason };
  }
  if (member) {
    const { cloudUrl, email, deviceId, stopped } = member.account;
    const known = { ...SIGNED_OUT, cloudUrl, email, deviceId, roles: [...member.roles] };
    if (stopped !== null) return { ...known, state: "stopped", reason: explainStop(stopped) };
    const asked = (await loop?.asks()) ?? null;
    return asked === null ? { ...known, state: "active" } : { ...known, state: "stopped", reason: ASKS[asked] };
  }
  if (!locked) return SIGNED_OUT;
  const { cloudUrl, email, devices, sessions } = locked;
  return { ...SIGNED_OUT, state: "locked", cloudUrl, email, devices, sessions, reason: LOCKED };
}
