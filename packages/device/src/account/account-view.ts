import type { AccountView } from "@codehands/api";
import type { DeviceHome } from "../home.ts";
import { ASKS } from "../loop/read-sync-view.ts";
import { explainStop } from "../roster/stop-code.ts";

const LOCKED =
  "Logged in. To read anything here, let this device in from another one (`codehands pair`), or use the recovery code.";
const NOTHING: AccountView = {
  state: "signed_out",
  cloudUrl: null,
  email: null,
  deviceId: null,
  roles: [],
  devices: null,
  sessions: null,
  reason: null,
};

/** The account as a person is told of it. */
export async function accountView({ member, locked, broken, loop }: DeviceHome): Promise<AccountView> {
  if (broken) {
    const { cloudUrl, email, deviceId } = broken.account;
    return { ...NOTHING, state: "stopped", cloudUrl, email, deviceId, reason: broken.reason };
  }
  if (member) {
    const { cloudUrl, email, deviceId, stopped } = member.account;
    const known = { ...NOTHING, cloudUrl, email, deviceId, roles: [...member.roles] };
    if (stopped !== null) return { ...known, state: "stopped", reason: explainStop(stopped) };
    const asked = (await loop?.asks()) ?? null;
    return asked === null ? { ...known, state: "active" } : { ...known, state: "stopped", reason: ASKS[asked] };
  }
  if (!locked) return NOTHING;
  const { cloudUrl, email, devices, sessions } = locked;
  return { ...NOTHING, state: "locked", cloudUrl, email, devices, sessions, reason: LOCKED };
}
