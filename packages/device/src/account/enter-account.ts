import type { SignedUp } from "@codehands/api";
import type { CloudClient } from "@codehands/api/cloud-client";
import { activeDevices, foldRoster, type Roster, toBase64url } from "@codehands/vault";
import { DeviceError } from "../device-error.ts";
import type { DeviceHome } from "../home.ts";
import type { DeviceSecrets } from "../ports/key-store.ts";
import { type FetchedRoster, fetchRoster } from "../roster/fetch-roster.ts";
import { readStatement } from "../roster/read-statement.ts";
import { refusedRoster } from "../roster/stop-code.ts";
import { accountView } from "./account-view.ts";
import { foundAccount } from "./found-account.ts";
import type { MadeCode } from "./make-code.ts";
import { newAccount } from "./new-account.ts";
import { renewCode } from "./renew-code.ts";
import type { LoginInput } from "./with-login.ts";

/** What a person who logged in finds: a vault to found, one that this device is in already, or one to be let in to. */
export async function enterAccount(home: DeviceHome, input: LoginInput, client: CloudClient): Promise<SignedUp> {
  const fetched = await fetchRoster((ask) => ask(client), -1);
  if (fetched.vault === null) {
    const recoveryCode = await foundAccount(home, input, client);
    if (recoveryCode !== null) return { ok: true, account: await accountView(home), recoveryCode };
    return enterAccount(home, input, client);
  }
  const resumed = await resumeAccount(home, input, fetched);
  if (resumed) return { ok: true, account: await accountView(home), recoveryCode: resumed.recoveryCode };
  const { devices, sessions } = await client.accounts.status.query();
  home.locked = { cloudUrl: input.cloudUrl, email: input.email, devices, sessions };
  return { ok: true, account: await accountView(home), recoveryCode: null };
}

/**
 * Goes on where joining was broken off: the keys are here and the roster knows them. A recovery code that was made here may
 * never have been shown, so there is a new one; `made` are those of this very call. Null: this device is no member.
 */
export async function resumeAccount(
  home: DeviceHome,
  { cloudUrl, email }: Pick<LoginInput, "cloudUrl" | "email">,
  { statements, made = [] }: Pick<FetchedRoster, "statements"> & { made?: readonly MadeCode[] },
): Promise<{ recoveryCode: string | null } | null> {
  const secrets = await home.options.keys.load();
  if (!secrets) return null;
  const folded = await foldRoster(statements);
  if (!folded.ok) throw refusedRoster(folded);
  const roster = folded.value;
  const deviceId = memberWith(roster, secrets);
  if (deviceId === null) return null;
  await home.enter(newAccount({ cloudUrl, email, vault: roster.vault, deviceId, statements }), secrets);
  // Made in this call, and only the answer was lost: it is shown now.
  const shown = made.find(({ keys }) => toBase64url(keys.sign.publicKey) === toBase64url(roster.recovery.sign));
  if (shown) return { recoveryCode: shown.code };
  const brought = statements[roster.recovery.seq];
  const madeHere = brought !== undefined && readStatement(brought).by === deviceId;
  return { recoveryCode: madeHere ? await renewed(home) : null };
}

/** The member whose keys these are; null when there is none. */
function memberWith(roster: Roster, { keys }: DeviceSecrets): string | null {
  const own = toBase64url(keys.sign.publicKey);
  return activeDevices(roster).find(({ sign }) => toBase64url(sign) === own)?.id ?? null;
}

/** A code that cannot be replaced now is no reason to stay outside. */
async function renewed(home: DeviceHome): Promise<string | null> {
  try {
    return await renewCode(home);
  } catch (error) {
    if (error instanceof DeviceError && error.code === "no_keys") return null;
    throw error;
  }
}
