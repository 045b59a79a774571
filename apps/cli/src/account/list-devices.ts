import type { AccountDevice } from "@codehands/api";
import type { LocalClient } from "@codehands/api/client";
import { notSignedIn } from "./account-error.ts";

/** The devices of the account. Throws with exit code 4 on a device that has none. */
export async function listDevices(client: LocalClient): Promise<AccountDevice[]> {
  const { state } = await client.account.status.query();
  if (state === "signed_out") throw notSignedIn();
  return (await client.devices.list.query()).devices;
}
