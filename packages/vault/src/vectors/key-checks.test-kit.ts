import vectors from "../../test/vault-vectors.json" with { type: "json" };
import { signChallenge, verifyChallenge } from "../auth/challenge.ts";
import { fromHex, utf8 } from "../bytes/text.ts";
import { uuidText } from "../bytes/uuid.ts";
import { Keyring } from "../keys/keyring.ts";
import { commitRoot } from "../keys/root-key.ts";
import { outcomeOf } from "../outcome.ts";
import { checkAgreementKey } from "../primitives/agreement.ts";
import { hmac, hmacRaw } from "../primitives/hash.ts";
import { hpkeOpen, hpkeSeal } from "../primitives/hpke.ts";
import { keyPairFromSeed } from "../primitives/key-pair.ts";
import { checkSigningKey, verify } from "../primitives/signing.ts";
import { plain, subtle } from "../primitives/web-crypto.ts";
import { foldRoster } from "../roster/fold-roster.ts";
import { activeDevices } from "../roster/roster.ts";
import { paddedLength } from "../sealing/limits.ts";
import { codeOf, must } from "../vault-world.test-kit.ts";
import { same, type VectorCheck } from "./expect-same.test-kit.ts";

const laptop = vectors.devices[0];
const session = uuidText(fromHex(vectors.keys.session));

/** A keyring with both roots of the vectors, and the roster at its end. */
export async function vectorKeys() {
  const roster = must(await foldRoster(vectors.roster.statements));
  const keys = new Keyring(roster.vault);
  for (const { epoch, root } of vectors.roots) await keys.add(roster, { epoch, root: fromHex(root) });
  return { roster, keys };
}

async function sameAesKey(key: Parameters<typeof subtle.encrypt>[1], raw: string): Promise<void> {
  const iv = new Uint8Array(12);
  const ours = new Uint8Array(await subtle.encrypt({ name: "AES-GCM", iv }, key, plain(utf8("probe"))));
  const imported = await subtle.importKey("raw", plain(fromHex(raw)), "AES-GCM", false, ["encrypt"]);
  const theirs = new Uint8Array(await subtle.encrypt({ name: "AES-GCM", iv }, imported, plain(utf8("probe"))));
  same(ours, theirs, "what the key encrypts");
}

async function sameMacKey(key: Parameters<typeof hmac>[0], raw: string): Promise<void> {
  same(await hmac(key, utf8("probe")), await hmacRaw(fromHex(raw), utf8("probe")), "what the key authenticates");
}

export const KEY_CHECKS: readonly VectorCheck[] = [
  {
    name: "V5 public keys of device seeds",
    run: async () => {
      for (const device of vectors.devices) {
        same((await keyPairFromSeed("Ed25519", fromHex(device.signSeed))).publicKey, fromHex(device.signPublic));
        same((await keyPairFromSeed("X25519", fromHex(device.agreeSeed))).publicKey, fromHex(device.agreePublic));
      }
    },
  },
  {
    name: "V10 commitments of root keys",
    run: async () => {
      for (const { epoch, root, commit } of vectors.roots)
        same(await commitRoot(fromHex(root), epoch), fromHex(commit));
    },
  },
  {
    name: "V6 V7 the roster's hashes, vault id and end",
    run: async () => {
      const { roster } = await vectorKeys();
      const { end, hashes, vault } = vectors.roster;
      same(roster.vault, fromHex(vault));
      same(roster.hashes.length, hashes.length);
      for (const [seq, hash] of hashes.entries()) same(roster.hashes[seq], fromHex(hash));
      same([roster.seq, roster.epoch], [end.seq, end.epoch]);
      same(
        activeDevices(roster).map(({ id, roles }) => ({ id, roles })),
        end.active,
      );
      same(
        [...roster.devices.values()].filter(({ removed }) => removed !== null).map(({ id }) => id),
        end.removed,
      );
    },
  },
  {
    name: "V11 purpose keys",
    run: async () => {
      const { keys } = await vectorKeys();
      const writer = laptop?.id ?? "";
      await sameAesKey(await keys.segment(1, session), vectors.keys.segment1);
      await sameAesKey(await keys.segment(2, session), vectors.keys.segment2);
      await sameAesKey(await keys.record(1, { kind: 3, writer }), vectors.keys.record1_kind3_A);
      await sameMacKey(await keys.chain(1, session), vectors.keys.chain1);
      await sameMacKey(await keys.nonce(1, writer), vectors.keys.nonce1_A);
    },
  },
  {
    name: "V14 padded lengths",
    run: async () => {
      for (const [length, padded] of vectors.padding) same(paddedLength(length ?? 0), padded, `pad(${length})`);
    },
  },
  {
    name: "V1 HPKE, both ways",
    run: async () => {
      const v = vectors.hpke;
      const recipient = await keyPairFromSeed("X25519", fromHex(v.recipientSeed));
      const ephemeral = await keyPairFromSeed("X25519", fromHex(v.ephemeralSeed));
      const binding = { info: fromHex(v.info), aad: fromHex(v.aad) };
      const sealed = await hpkeSeal({ publicKey: recipient.publicKey, ephemeral }, binding, fromHex(v.plaintext));
      same(sealed.enc, fromHex(v.enc));
      same(sealed.ct, fromHex(v.ciphertext));
      same(await hpkeOpen(recipient, binding, sealed), fromHex(v.plaintext));
    },
  },
  {
    name: "V28 the signature over a challenge",
    run: async () => {
      const { roster } = await vectorKeys();
      const v = vectors.auth;
      const challenge = { origin: v.origin, device: v.device, challenge: fromHex(v.challenge) };
      same(codeOf(await verifyChallenge(roster, challenge, fromHex(v.signature))), "ok");
      same(await verify(fromHex(laptop?.signPublic ?? ""), fromHex(v.signature), fromHex(v.message)), true);
      const { privateKey } = await keyPairFromSeed("Ed25519", fromHex(laptop?.signSeed ?? ""));
      const again = await signChallenge({ ...challenge, vault: roster.vault }, privateKey);
      same(await verify(fromHex(laptop?.signPublic ?? ""), again, fromHex(v.message)), true);
    },
  },
  {
    name: "V3 keys that prove nothing",
    run: async () => {
      const small = fromHex(vectors.badKeys.ed25519SmallOrder);
      same(codeOf(await outcomeOf(() => checkSigningKey(small))), "BAD_KEY");
      const zero = fromHex(vectors.badKeys.x25519Zero);
      same(codeOf(await outcomeOf(() => checkAgreementKey(zero))), "BAD_KEY");
    },
  },
];
