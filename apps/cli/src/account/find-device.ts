import type { AccountDevice } from "@codehands/api";
import type { LocalClient } from "@codehands/api/client";
import { CliError } from "../cli-error.ts";
import { stripToLine } from "../terminal/strip-controls.ts";
import { listDevices } from "./list-devices.ts";

/**
 * The devices that a short name means: a whole id or name, else the beginning of an id (four characters at least) or of
 * a name. Devices that were removed are left out.
 */
export function matchDevices(devices: readonly AccountDevice[], ref: string): AccountDevice[] {
  const wanted = ref.trim().toLowerCase();
  const members = devices.filter((device) => device.revokedAt === null);
  const whole = members.filter((device) => device.id === wanted || nameOf(device) === wanted);
  if (whole.length > 0 || wanted === "") return whole;
  return members.filter(
    (device) => (wanted.length >= 4 && device.id.startsWith(wanted)) || nameOf(device).startsWith(wanted),
  );
}

const nameOf = (device: AccountDevice): string => device.name.toLowerCase();

/** The one device of the account that a person means. Throws with exit code 3 or 2. */
export function oneDevice(devices: readonly AccountDevice[], ref: string): AccountDevice {
  const [found, ...more] = matchDevices(devices, ref);
  if (found === undefined) {
    const message = `There is no device '${ref}' in the account.`;
    throw new CliError({ code: "not_found", exitCode: 3, message, hint: "codehands devices ls" });
  }
  if (more.length === 0) return found;
  const named = [found, ...more].map((device) => `${stripToLine(device.name)} (${device.id.slice(0, 8)})`).join(", ");
  const message = `'${ref}' means ${more.length + 1} devices: ${named}.`;
  throw new CliError({ code: "ambiguous", exitCode: 2, message, hint: "codehands devices ls" });
}

/**
 * The id of the device whose sessions `--device` means. Without an account this device is the only one, and the word is
 * taken as its id.
 */
export async function deviceIdOf(client: LocalClient, ref: string): Promise<string> {
  const { devices } = await client.devices.list.query();
  return devices.length === 0 ? ref : oneDevice(devices, ref).id;
}

/** The id of another device that is to work; undefined for this one. Throws with exit code 4 without an account. */
export async function otherDeviceId(client: LocalClient, ref: string): Promise<string | undefined> {
  const device = oneDevice(await listDevices(client), ref);
  return device.current ? undefined : device.id;
}
