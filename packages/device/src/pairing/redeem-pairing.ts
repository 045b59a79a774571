import type { WireEnvelope, WireStatement } from "@codehands/api/cloud";
import { type CloudClient, createCloudClient } from "@codehands/api/cloud-client";
import {
  finishPairing,
  type Joined,
  Keyring,
  type Newcomer,
  type Outcome,
  originOf,
  type RevealedPairing,
  toBase64url,
} from "@codehands/vault";
import { newAccount } from "../account/new-account.ts";
import { DeviceError } from "../device-error.ts";
import type { DeviceHome } from "../home.ts";
import { askToken } from "../keys/ask-token.ts";
import { keepRoots } from "../keys/kept-roots.ts";
import { fetchRoster, plainEnvelope } from "../roster/fetch-roster.ts";

/** Where an approved pairing is fetched. */
export interface RedeemFrom {
  client: CloudClient;
  cloudUrl: string;
  pollToken: string;
  fetch?: typeof fetch | undefined;
}

/** A newcomer that was let in, and all that it was given. */
export interface LetIn extends Omit<Joined, "letInBy"> {
  statements: readonly WireStatement[];
  /** The name of the device that let it in, as that device told it. */
  letInBy: string;
}

type Given = { statements: WireStatement[]; envelope: WireEnvelope };

/** Fetches what the other device approved, and checks all of it (V30). Nothing is stored. */
export async function redeemPairing(from: RedeemFrom, revealed: RevealedPairing, now: number): Promise<Outcome<LetIn>> {
  const answer = await from.client.pairing.redeem.mutate({ pollToken: from.pollToken });
  // It is handed over once. When that answer was lost, the device is a member all the same, and reads it as one.
  const given: Given | null = answer.ok ? answer : await readAsMember(from, revealed);
  if (!given) return { ok: false, code: "PAIR_EXPIRED", reason: "pairing" };
  const { statements, envelope } = given;
  const joined = await finishPairing(revealed, { statements, envelope: plainEnvelope(envelope), now });
  if (!joined.ok) return joined;
  const { letInBy, payload } = joined.value;
  const name = payload.account?.letInBy || letInBy.slice(0, 8);
  return { ok: true, value: { ...joined.value, statements, letInBy: name } };
}

async function readAsMember({ cloudUrl: url, fetch: ask, client }: RedeemFrom, revealed: RevealedPairing) {
  const { newcomer, offer, transcript } = revealed;
  const { id: deviceId, keys } = newcomer;
  const { vault } = JSON.parse(new TextDecoder().decode(offer)) as { vault: string };
  let token: string;
  try {
    token = await askToken(client, { url, vault, deviceId, keys, statements: [] });
  } catch (error) {
    // It was never let in.
    if (error instanceof DeviceError) return null;
    throw error;
  }
  const member = createCloudClient({ url, token: () => token, ...(ask && { fetch: ask }) });
  const { statements, envelopes } = await fetchRoster((request) => request(member), -1);
  const bound = toBase64url(transcript);
  const envelope = envelopes.find(({ context }) => context === bound);
  // Up to the statement that let it in; what came after is read in the ordinary way.
  return envelope ? { statements: statements.slice(0, envelope.seq + 1), envelope } : null;
}

/** Stores keys and account, and begins to sync. */
export async function joinVault(
  home: DeviceHome,
  { cloudUrl, newcomer, letIn }: { cloudUrl: string; newcomer: Newcomer; letIn: LetIn },
): Promise<void> {
  const { roster, payload, statements } = letIn;
  const { id, keys } = newcomer;
  const into = { roster, ring: new Keyring(roster.vault), asBytes: home.options.keys.keepsRootBytes };
  const secrets = { keys, roots: await keepRoots(into, [], payload.keys) };
  const email = home.locked && originOf(home.locked.cloudUrl) === originOf(cloudUrl) ? home.locked.email : null;
  const inherited = payload.seen ?? {};
  const joined = { cloudUrl, email, vault: roster.vault, deviceId: id, statements, inherited };
  await home.enter(newAccount(joined), secrets);
}
