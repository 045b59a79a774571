import type { RenewedCode } from "@codehands/api";
import { CloudCallError } from "@codehands/api/cloud-client";
import type { DeviceHome } from "../home.ts";
import { refuse } from "./refuse-account.ts";
import { renewCode } from "./renew-code.ts";

const SIGNED_OUT = "This device is not signed in to an account, so it can make no recovery code.";
const LOCKED =
  "This device has not been let in yet, so it can make no recovery code. Pair it, or use the code you have.";
const NO_ADMIN =
  "This device may not make a recovery code: it is no admin of the account. Do it on one that is. The code you have still counts.";
const UNSURE =
  "It is not known whether the code was replaced: do it again. The last code that is shown is the one that counts.";

/** Replaces the recovery code for a person who lost it, or never saw it (V34). Only an admin's statement could. */
export async function replaceCode(home: DeviceHome): Promise<RenewedCode> {
  const { member, broken, locked } = home;
  if (broken) return refuse("refused", broken.reason);
  if (!member) return locked ? refuse("locked", LOCKED) : refuse("not_signed_in", SIGNED_OUT);
  if (!member.roles.includes("admin")) return refuse("refused", NO_ADMIN);
  try {
    return { ok: true, recoveryCode: await renewCode(home) };
  } catch (error) {
    if (error instanceof CloudCallError && error.code === "unreachable")
      return refuse("unreachable", `${error.message} ${UNSURE}`);
    throw error;
  }
}
