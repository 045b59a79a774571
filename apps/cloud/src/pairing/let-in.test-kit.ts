/** Both sides of a pairing, step by step, over HTTP and with the real cryptography. */
import { randomUUID } from "node:crypto";
import { type CloudClient, createCloudClient } from "@codehands/api/cloud-client";
import {
  answerOffer,
  approveNewcomer,
  finishPairing,
  fromBase64url,
  type Joined,
  type KnownNewcomer,
  type MadeOffer,
  makeDeviceKeys,
  makeOffer,
  type Newcomer,
  openNewcomer,
  openReveal,
  type RevealedPairing,
  type Roster,
  toBase64url,
  uuidBytes,
} from "@codehands/vault";
import { fetchFrom, freshAddress, type TestAccount } from "../open-cloud.test-kit.ts";

type Wrapped<T> = { ok: true; value: T } | { ok: false; code: string };
/** What a check of the vault gave; its refusal is an error here. */
export function valueOf<T>(outcome: Wrapped<T>): T {
  if (!outcome.ok) throw new Error(outcome.code);
  return outcome.value;
}

export interface Started {
  client: CloudClient;
  newcomer: Newcomer;
  pairingId: string;
  userCode: string;
  pollToken: string;
  startedAt: number;
}

/** Step 1: the new device; with an invitation, or alone. */
export async function startPairing(
  url: string,
  address = freshAddress(),
  o: { name?: string | undefined; invitation?: string } = {},
): Promise<Started> {
  const { name = "new laptop", invitation } = o;
  const client = createCloudClient({ url, fetch: fetchFrom(address) });
  const keys = await makeDeviceKeys({ extractable: true });
  const newcomer = await openNewcomer({
    id: randomUUID(),
    keys,
    name,
    platform: "linux",
    roles: ["admin", "command", "run"],
  });
  const started = await client.pairing.start.mutate({
    commit: toBase64url(newcomer.commit),
    platform: "linux",
    ...(invitation !== undefined && { invitation }),
  });
  if ("ok" in started) throw new Error(started.code);
  return { client, newcomer, ...started, startedAt: Date.now() };
}

/** Steps 2 and 3: the device that lets it in. */
export async function offerPairing(account: TestAccount, started: Started): Promise<MadeOffer> {
  const { device, roster } = account;
  const found = await device.client.pairing.lookup.mutate({ userCode: started.userCode });
  if (!found.ok) throw new Error(found.code);
  const pairing = { pairingId: uuidBytes(found.pairingId), commit: fromBase64url(found.commit), qrSecret: null };
  const offer = valueOf(await makeOffer({ id: device.id, keys: device.keys, roster }, pairing));
  const answer = await device.client.pairing.offer.mutate({
    pairingId: found.pairingId,
    msgO: toBase64url(offer.message),
  });
  if (!answer.ok) throw new Error(answer.code);
  return offer;
}

/** Steps 4 and 5: the new device answers the offer. */
export async function revealPairing(started: Started): Promise<RevealedPairing> {
  const polled = await started.client.pairing.poll.query({ pollToken: started.pollToken });
  if (polled.state !== "offered") throw new Error(polled.state);
  const { newcomer, startedAt } = started;
  const revealed = valueOf(
    await answerOffer(
      { newcomer, pairingId: uuidBytes(started.pairingId), startedAt },
      { message: fromBase64url(polled.msgO), qrTag: null, now: Date.now(), byQr: false },
    ),
  );
  const { enc, ct } = revealed.reveal;
  const answer = await started.client.pairing.reveal.mutate({
    pollToken: started.pollToken,
    enc: toBase64url(enc),
    ct: toBase64url(ct),
  });
  if (!answer.ok) throw new Error(answer.code);
  return revealed;
}

/** Steps 6 to 8, and what step 9 sends. */
export async function confirmPairing(account: TestAccount, offer: MadeOffer, started: Started) {
  const seen = await account.device.client.pairing.offered.query({ pairingId: started.pairingId });
  if (seen.state !== "revealed") throw new Error(seen.state);
  const reveal = { enc: fromBase64url(seen.enc), ct: fromBase64url(seen.ct) };
  const known: KnownNewcomer = { ...valueOf(await openReveal(offer, reveal)), isConfirmed: true };
  const payload = { keys: account.roots, account: { label: account.label ?? "" } };
  return valueOf(await approveNewcomer(known, { at: new Date().toISOString(), payload }, account.roster));
}

/** A whole pairing of a device with this name; the roster after it, and what the new device was given. */
export async function letIn(
  url: string,
  account: TestAccount,
  name?: string,
): Promise<{ started: Started; roster: Roster; revealed: RevealedPairing; joined: Joined }> {
  const started = await startPairing(url, freshAddress(), { name });
  const offer = await offerPairing(account, started);
  const revealed = await revealPairing(started);
  const { statement, envelope, roster } = await confirmPairing(account, offer, started);
  const { pairingId, pollToken } = started;
  const approved = await account.device.client.pairing.approve.mutate({ pairingId, statement, envelope });
  if (!approved.ok) throw new Error(`${approved.code} ${approved.reason}`);
  const redeemed = await started.client.pairing.redeem.mutate({ pollToken });
  if (!redeemed.ok) throw new Error(redeemed.code);
  const { statements, envelope: sealed } = redeemed;
  const { context: _context, ...plain } = sealed;
  const joined = valueOf(await finishPairing(revealed, { statements, envelope: plain, now: Date.now() }));
  return { started, roster, revealed, joined };
}
