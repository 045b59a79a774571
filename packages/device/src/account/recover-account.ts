import type { Recovered } from "@codehands/api";
import { CloudCallError, type CloudClient } from "@codehands/api/cloud-client";
import {
  activeDevices,
  type DeviceKeys,
  type EpochRoot,
  joinByRecovery,
  Keyring,
  readRecoveryCode,
  recoverVault,
  recoveryKeys,
  startEpoch,
  toBase64url,
} from "@codehands/vault";
import { DeviceError } from "../device-error.ts";
import type { DeviceHome } from "../home.ts";
import { keepRoots } from "../keys/kept-roots.ts";
import { type FetchedRoster, fetchRoster, plainEnvelope } from "../roster/fetch-roster.ts";
import { accountView } from "./account-view.ts";
import { resumeAccount } from "./enter-account.ts";
import { type MadeCode, makeCode } from "./make-code.ts";
import { newAccount } from "./new-account.ts";
import { refuse, refusedByVault } from "./refuse-account.ts";
import { renewCode } from "./renew-code.ts";
import { type LoginInput, withLogin } from "./with-login.ts";

const CAUTION =
  "The cloud could have shown an older state of the account: nothing here remembers a newer one. " +
  "It is told as soon as another device of yours has been online.";
/** How often another device may be quicker. */
const TRIES = 5;

/** Joins with the recovery code and replaces the code in the same step (V34). The used code opens nothing afterwards. */
export async function recoverAccount(home: DeviceHome, input: LoginInput & { code: string }): Promise<Recovered> {
  const secret = await readRecoveryCode(input.code);
  // Decided here: nothing of a mistyped code is sent anywhere.
  if (!secret.ok) return refusedByVault(secret);
  const recovery = await recoveryKeys(secret.value);
  return withLogin(input, home.options, async (client): Promise<Recovered> => {
    let lost: unknown = null;
    const made: MadeCode[] = [];
    for (let tries = 0; tries < TRIES; tries++) {
      const fetched = await fetchRoster((ask) => ask(client), -1);
      if (fetched.vault === null) return refuse("refused", "This account has no vault yet. Log in to make one.");
      // Earlier, by this device, and the answer was lost.
      const resumed = await resumeAccount(home, input, { ...fetched, made });
      if (resumed) return recovered(home, resumed.recoveryCode ?? (await renewCode(home)));
      if (lost) throw lost;
      try {
        const code = await join(home, { client, fetched, recovery, input, made });
        if (typeof code !== "string") return code;
        if (code !== "") return await recovered(home, code);
      } catch (error) {
        if (!(error instanceof CloudCallError)) throw error;
        lost = error;
      }
    }
    return refuse("refused", "Other devices kept changing the account. Nothing was changed here; try again.");
  });
}

interface Joining {
  client: CloudClient;
  fetched: FetchedRoster;
  recovery: DeviceKeys;
  input: LoginInput;
  /** Codes that were made in this call. */
  made: MadeCode[];
}

/** The new code; empty when another device was quicker, a refusal when the code is not this vault's. */
async function join(
  home: DeviceHome,
  { client, fetched, recovery, input, made }: Joining,
): Promise<string | Extract<Recovered, { ok: false }>> {
  const { keys: keyStore, about, clock, store } = home.options;
  const stored = { statements: fetched.statements, envelopes: fetched.envelopes.map(plainEnvelope) };
  const vault = await recoverVault(stored, recovery);
  if (!vault.ok) return refusedByVault(vault);
  const { state } = await store.read({});
  // No id comes a second time in a roster (V6).
  const id = vault.value.roster.used.has(state.deviceId) ? crypto.randomUUID() : state.deviceId;
  // Keys of a try whose answer was lost may be on their way still: they are used again.
  const kept = (await keyStore.load())?.keys;
  const isFresh = kept && !vault.value.roster.used.has(toBase64url(kept.sign.publicKey));
  const keys = isFresh ? kept : await keyStore.make();
  const at = clock();
  const added = await joinByRecovery(vault.value.roster, { id, keys, platform: about.platform, recovery, at });
  const fresh = await makeCode();
  made.push(fresh);
  const { roots } = vault.value;
  const next = await startEpoch({
    roster: added.roster,
    by: id,
    keys,
    at,
    ops: [],
    recovery: { keys: fresh.keys, roots },
  });
  const all: EpochRoot[] = [...roots, { epoch: next.roster.epoch, root: next.root }];
  const into = { roster: next.roster, ring: new Keyring(next.roster.vault), asBytes: keyStore.keepsRootBytes };
  const secrets = { keys, roots: await keepRoots(into, [], all) };
  await keyStore.save(secrets);
  const statements = [added.statement, next.statement];
  const answer = await client.roster.append.mutate({ statements, envelopes: next.envelopes });
  if (!answer.ok) {
    if (answer.code === "CONFLICT") return "";
    throw new DeviceError("refused", `The cloud refused it. ${answer.reason} Nothing was changed.`);
  }
  const { cloudUrl, email } = input;
  const joined = { cloudUrl, email, vault: next.roster.vault, deviceId: id };
  await home.enter(newAccount({ ...joined, statements: [...fetched.statements, ...statements] }), secrets);
  return fresh.code;
}

async function recovered(home: DeviceHome, recoveryCode: string): Promise<Recovered> {
  const devices = home.member ? activeDevices(home.member.roster) : [];
  const others = devices.flatMap(({ id, platform }) => (id === home.member?.id ? [] : [{ id, name: null, platform }]));
  return { ok: true, account: await accountView(home), recoveryCode, others, caution: CAUTION };
}
