import { CloudCallError, type CloudClient } from "@codehands/api/cloud-client";
import { foundVault, Keyring, toBase64url } from "@codehands/vault";
import { DeviceError } from "../device-error.ts";
import type { DeviceHome } from "../home.ts";
import { keepRoots } from "../keys/kept-roots.ts";
import { makeCode } from "./make-code.ts";
import { newAccount } from "./new-account.ts";
import type { LoginInput } from "./with-login.ts";

/**
 * Founds the vault of an account that has none, with this device as its first member. Keys are stored before the cloud
 * hears of them, so that whatever is lost on the way, logging in again goes on. Null: another device was quicker.
 */
export async function foundAccount(home: DeviceHome, input: LoginInput, client: CloudClient): Promise<string | null> {
  const { keys: store, about, clock, store: rows } = home.options;
  const { state } = await rows.read({});
  const keys = (await store.load())?.keys ?? (await store.make());
  const { code, keys: recovery } = await makeCode();
  const founder = { id: state.deviceId, keys, platform: about.platform, recovery, at: clock() };
  const { statement, envelopes, roster, root } = await foundVault(founder);
  const into = { roster, ring: new Keyring(roster.vault), asBytes: store.keepsRootBytes };
  const secrets = { keys, roots: await keepRoots(into, [], [{ epoch: 1, root }]) };
  await store.save(secrets);
  const vault = toBase64url(roster.vault);
  if (!(await append(client, { statement, envelopes, vault }))) return null;
  const { cloudUrl, email } = input;
  const joined = { cloudUrl, email, vault: roster.vault, deviceId: founder.id, statements: [statement] };
  await home.enter(newAccount(joined), secrets);
  return code;
}

type Founding = Pick<Awaited<ReturnType<typeof foundVault>>, "statement" | "envelopes"> & { vault: string };

/** True when this vault is the account's; false when another one is. */
async function append(client: CloudClient, { statement, envelopes, vault }: Founding): Promise<boolean> {
  try {
    const answer = await client.roster.append.mutate({ statements: [statement], envelopes });
    if (answer.ok) return true;
    if (answer.code !== "CONFLICT") throw new DeviceError("refused", `The cloud refused the vault. ${answer.reason}`);
  } catch (error) {
    if (!(error instanceof CloudCallError)) throw error;
    // The answer may have been lost on its way: the account says what became of it.
    const seen = await client.accounts.status.query();
    if (seen.vault === null) throw error;
  }
  return (await client.accounts.status.query()).vault === vault;
}
