import type { LoggedOut, LogOutInput } from "@codehands/api";
import type { DeviceHome } from "../home.ts";

/**
 * Signs this device out: it is cut off in the cloud where that can be reached, and keys and what came from other devices
 * are forgotten here. What this device made itself stays.
 */
export async function logOut(home: DeviceHome, { all }: LogOutInput): Promise<LoggedOut> {
  const { member, loop } = home;
  if (!member && !home.broken && !home.locked) return { ok: true, notes: ["This device was not signed in."] };
  const notes = ["Signed out. Sessions of this device stay here; keys and what came from other devices are gone."];
  const account = member?.account ?? home.broken?.account ?? null;
  let isCut = false;
  if (member && loop) isCut = await cutOff(loop, member.id);
  // Its id was given to the vault: no other keys can ever stand under it.
  await home.leave(account && crypto.randomUUID());
  if (account) {
    notes.push(
      isCut
        ? `Another device takes this one off the list for good: codehands devices revoke ${account.deviceId}`
        : `The cloud could not be told. On another device run: codehands devices revoke ${account.deviceId}`,
    );
  }
  if (all) notes.push("To end the logins in browsers as well, change the password of the account there.");
  return { ok: true, notes };
}

/** Its token is refused from now on. False when the cloud could not be reached, or knows it no more. */
async function cutOff(loop: NonNullable<DeviceHome["loop"]>, deviceId: string): Promise<boolean> {
  try {
    return (await loop.calls.call((client) => client.devices.revoke.mutate({ deviceId }))).ok;
  } catch {
    return false;
  }
}
