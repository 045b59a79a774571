import { equalBytes } from "../bytes/join-bytes.ts";
import { agree } from "../primitives/agreement.ts";
import { type KeyPair, makeKeyPair } from "../primitives/key-pair.ts";
import { sign, verify } from "../primitives/signing.ts";
import { plain, randomBytes, subtle, type WebKey } from "../primitives/web-crypto.ts";
import type { DeviceKeys } from "./device-keys.ts";

/** A place that keeps keys as they are, unreadable: IndexedDB. What it cannot keep it throws at or loses. */
export interface KeyPlace {
  put(name: string, value: unknown): Promise<void>;
  get(name: string): Promise<unknown>;
}

/** How the agreement key is kept: as it is, or wrapped, where X25519 keys do not come back (a fault of WebKit). */
export type AgreeStorage = "key" | "wrapped";

interface WrappedKey {
  wrapping: WebKey;
  iv: Uint8Array;
  wrapped: ArrayBuffer;
  publicKey: Uint8Array;
}

const isPair = (value: unknown): value is KeyPair =>
  typeof value === "object" && value !== null && "privateKey" in value && "publicKey" in value && !!value.privateKey;

/**
 * The self-test at start (V5): put, get, sign, agree. Says how the agreement key can be kept, or null where no key
 * comes back: private windows and lockdown. Then pairing is refused with that reason.
 */
export async function testKeyPlace(place: KeyPlace): Promise<AgreeStorage | null> {
  const pair = await makeKeyPair("Ed25519", false);
  if (!(await tries(async () => signsAfterKeeping(place, pair)))) return null;
  const other = await makeKeyPair("X25519", false);
  for (const how of ["key", "wrapped"] as const) {
    const agrees = async (): Promise<boolean> => {
      const kept = await keepAgreement(place, how, "self-test-agree");
      const back = await loadAgreement(place, how, "self-test-agree");
      if (back === null) return false;
      const [ours, theirs] = [
        await agree(back.privateKey, other.publicKey),
        await agree(other.privateKey, kept.publicKey),
      ];
      return equalBytes(ours, theirs);
    };
    if (await tries(agrees)) return how;
  }
  return null;
}

/** Makes the keys of a browser device and keeps them so that no script can read them out. */
export async function makeBrowserKeys(place: KeyPlace, how: AgreeStorage): Promise<DeviceKeys> {
  const pair = await makeKeyPair("Ed25519", false);
  await place.put("sign", pair);
  return { sign: pair, agree: await keepAgreement(place, how, "agree") };
}

/** The keys that `makeBrowserKeys` kept, or null when they are not there. */
export async function loadBrowserKeys(place: KeyPlace, how: AgreeStorage): Promise<DeviceKeys | null> {
  const pair = await place.get("sign");
  const agreement = await loadAgreement(place, how, "agree");
  return isPair(pair) && agreement !== null ? { sign: pair, agree: agreement } : null;
}

async function signsAfterKeeping(place: KeyPlace, pair: KeyPair): Promise<boolean> {
  await place.put("self-test-sign", pair);
  const back = await place.get("self-test-sign");
  if (!isPair(back)) return false;
  const message = randomBytes(32);
  return verify(pair.publicKey, await sign(back.privateKey, message), message);
}

async function keepAgreement(place: KeyPlace, how: AgreeStorage, name: string): Promise<KeyPair> {
  if (how === "key") {
    const pair = await makeKeyPair("X25519", false);
    await place.put(name, pair);
    return pair;
  }
  const { privateKey, publicKey } = await makeKeyPair("X25519", true);
  const wrapping = await subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["wrapKey", "unwrapKey"]);
  const iv = randomBytes(12);
  const wrapped = await subtle.wrapKey("pkcs8", privateKey, wrapping, { name: "AES-GCM", iv: plain(iv) });
  const kept: WrappedKey = { wrapping, iv, wrapped, publicKey };
  await place.put(name, kept);
  return unwrap(kept);
}

async function loadAgreement(place: KeyPlace, how: AgreeStorage, name: string): Promise<KeyPair | null> {
  const kept = await place.get(name);
  if (how === "key") return isPair(kept) ? kept : null;
  return typeof kept === "object" && kept !== null && "wrapped" in kept ? unwrap(kept as WrappedKey) : null;
}

async function unwrap({ wrapping, iv, wrapped, publicKey }: WrappedKey): Promise<KeyPair> {
  const under = { name: "AES-GCM", iv: plain(iv) };
  const privateKey = await subtle.unwrapKey("pkcs8", wrapped, wrapping, under, { name: "X25519" }, false, [
    "deriveBits",
  ]);
  return { privateKey, publicKey };
}

/** A place that throws is a place that does not keep keys. */
async function tries(attempt: () => Promise<boolean>): Promise<boolean> {
  try {
    return await attempt();
  } catch {
    return false;
  }
}
