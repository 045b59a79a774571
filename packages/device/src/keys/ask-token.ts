import type { TokenAnswer, WireStatement } from "@codehands/api/cloud";
import type { CloudClient } from "@codehands/api/cloud-client";
import { type DeviceKeys, fromBase64url, originOf, signChallenge, toBase64url } from "@codehands/vault";
import { DeviceError } from "../device-error.ts";

/** Who asks, and where. */
export interface TokenWish {
  /** What is dialled: the signature names its origin, and holds nowhere else (V28). */
  url: string;
  /** base64url. */
  vault: string;
  deviceId: string;
  keys: DeviceKeys;
  /** The roster as it is held here: a cloud that was restored may have lost some of it, and this device with it. */
  statements: readonly WireStatement[];
}

/** How many statements go along with one request. */
const MOST = 64;

/**
 * An access token for a fresh signature (V28). Throws DeviceError `revoked`, `unknown_device` when the cloud does not
 * know the device even after it was handed the whole roster, and `refused`; CloudCallError when it cannot be asked.
 */
export async function askToken(client: CloudClient, wish: TokenWish): Promise<string> {
  let answer = await prove(client, wish);
  // The challenge lived too short a moment: once more.
  if (!answer.ok && answer.code === "EXPIRED") answer = await prove(client, wish);
  // What a restored cloud lost is most often the end; then everything, the oldest first.
  if (!answer.ok && answer.code === "UNKNOWN") answer = await prove(client, wish, wish.statements.slice(-MOST));
  for (let at = 0; !answer.ok && answer.code === "UNKNOWN" && at < wish.statements.length; at += MOST)
    answer = await prove(client, wish, wish.statements.slice(at, at + MOST));
  if (answer.ok) return answer.token;
  const code = answer.code === "REVOKED" ? "revoked" : answer.code === "UNKNOWN" ? "unknown_device" : "refused";
  throw new DeviceError(code, answer.reason);
}

async function prove(
  client: CloudClient,
  { url, vault, deviceId, keys }: TokenWish,
  statements?: readonly WireStatement[],
): Promise<TokenAnswer> {
  const { challenge } = await client.devices.challenge.mutate({ vaultId: vault, deviceId });
  const about = { origin: originOf(url), vault: fromBase64url(vault), device: deviceId };
  const signature = await signChallenge({ ...about, challenge: fromBase64url(challenge) }, keys.sign.privateKey);
  const proof = { vaultId: vault, deviceId, challenge, signature: toBase64url(signature) };
  return client.devices.token.mutate(statements ? { ...proof, statements: [...statements] } : proof);
}
