import { u16 } from "../bytes/big-endian.ts";
import { joinBytes } from "../bytes/join-bytes.ts";
import { utf8 } from "../bytes/text.ts";
import { fail } from "../vault-error.ts";
import { agree } from "./agreement.ts";
import { hmacRaw } from "./hash.ts";
import { type KeyPair, makeKeyPair } from "./key-pair.ts";
import { plain, subtle, type WebKey } from "./web-crypto.ts";

/** RFC 9180: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM. */
const KEM = joinBytes(utf8("KEM"), u16(0x0020));
const SUITE = joinBytes(utf8("HPKE"), u16(0x0020), u16(0x0001), u16(0x0002));
const VERSION = utf8("HPKE-v1");
const NONE = new Uint8Array(0);

interface Step {
  suite: Uint8Array;
  name: string;
}

const extract = (salt: Uint8Array, { suite, name }: Step, secret: Uint8Array): Promise<Uint8Array> =>
  hmacRaw(salt, VERSION, suite, utf8(name), secret);

/** One block of HKDF-Expand: nothing here needs more than 32 bytes. */
async function expand(prk: Uint8Array, step: Step & { size: number }, info: Uint8Array): Promise<Uint8Array> {
  const block = await hmacRaw(prk, u16(step.size), VERSION, step.suite, utf8(step.name), info, Uint8Array.of(1));
  return block.slice(0, step.size);
}

/** The secret that the KEM of RFC 9180 makes of one agreement. */
export async function kemSecret(shared: Uint8Array, enc: Uint8Array, recipient: Uint8Array): Promise<Uint8Array> {
  const prk = await extract(NONE, { suite: KEM, name: "eae_prk" }, shared);
  return expand(prk, { suite: KEM, name: "shared_secret", size: 32 }, joinBytes(enc, recipient));
}

async function keySchedule(secret: Uint8Array, info: Uint8Array): Promise<{ key: WebKey; iv: Uint8Array }> {
  const pskIdHash = await extract(NONE, { suite: SUITE, name: "psk_id_hash" }, NONE);
  const infoHash = await extract(NONE, { suite: SUITE, name: "info_hash" }, info);
  const context = joinBytes(Uint8Array.of(0), pskIdHash, infoHash);
  const prk = await extract(secret, { suite: SUITE, name: "secret" }, NONE);
  const raw = await expand(prk, { suite: SUITE, name: "key", size: 32 }, context);
  const iv = await expand(prk, { suite: SUITE, name: "base_nonce", size: 12 }, context);
  return { key: await subtle.importKey("raw", plain(raw), "AES-GCM", false, ["encrypt", "decrypt"]), iv };
}

export interface HpkeMessage {
  enc: Uint8Array;
  ct: Uint8Array;
}

/** What a message is bound to: opening it needs the same. */
export interface HpkeBinding {
  info: Uint8Array;
  aad: Uint8Array;
}

/** Seals one message to a public key (base mode, single shot). It says nothing about who sealed it. */
export async function hpkeSeal(
  to: { publicKey: Uint8Array; ephemeral?: KeyPair },
  { info, aad }: HpkeBinding,
  message: Uint8Array,
): Promise<HpkeMessage> {
  const ephemeral = to.ephemeral ?? (await makeKeyPair("X25519", false));
  const enc = ephemeral.publicKey;
  const secret = await kemSecret(await agree(ephemeral.privateKey, to.publicKey), enc, to.publicKey);
  const { key, iv } = await keySchedule(secret, info);
  const ct = await subtle.encrypt({ name: "AES-GCM", iv: plain(iv), additionalData: plain(aad) }, key, plain(message));
  return { enc, ct: new Uint8Array(ct) };
}

/** Opens what was sealed to this pair. Throws BAD_SEAL, and BAD_KEY for an `enc` that is no key. */
export async function hpkeOpen(me: KeyPair, { info, aad }: HpkeBinding, message: HpkeMessage): Promise<Uint8Array> {
  const { enc, ct } = message;
  const secret = await kemSecret(await agree(me.privateKey, enc), enc, me.publicKey);
  const { key, iv } = await keySchedule(secret, info);
  try {
    const algorithm = { name: "AES-GCM", iv: plain(iv), additionalData: plain(aad) };
    return new Uint8Array(await subtle.decrypt(algorithm, key, plain(ct)));
  } catch {
    return fail("BAD_SEAL", "sealed message");
  }
}
