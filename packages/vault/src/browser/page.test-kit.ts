import { equalBytes } from "../bytes/join-bytes.ts";
import { utf8 } from "../bytes/text.ts";
import {
  type AgreeStorage,
  type KeyPlace,
  loadBrowserKeys,
  makeBrowserKeys,
  testKeyPlace,
} from "../keys/browser-keys.ts";
import { agree } from "../primitives/agreement.ts";
import { makeKeyPair } from "../primitives/key-pair.ts";
import { sign, verify } from "../primitives/signing.ts";
import { subtle } from "../primitives/web-crypto.ts";
import type { VectorCheck } from "../vectors/expect-same.test-kit.ts";
import { KEY_CHECKS } from "../vectors/key-checks.test-kit.ts";
import { PAIRING_CHECKS } from "../vectors/pairing-checks.test-kit.ts";
import { SEAL_CHECKS } from "../vectors/seal-checks.test-kit.ts";
import { openIndexedDb } from "./indexed-db.test-kit.ts";

/** What happened to one check in the page: null when it passed. */
export interface PageResult {
  name: string;
  failure: string | null;
}

/** What the page offers to the test that drives it. */
export interface VaultPage {
  vectors(): Promise<PageResult[]>;
  /** The self-test with IndexedDB, whose X25519 keys are lost when `loses` is set: null where no key can be kept. */
  storage(loses: "nothing" | "agreement" | "all"): Promise<AgreeStorage | null>;
  /** Makes keys and keeps them; the page is then loaded anew. */
  makeKeys(how: AgreeStorage): Promise<number[]>;
  /** True when the kept keys sign and agree as those of this public key, and give nothing out. */
  useKeys(how: AgreeStorage, publicKey: number[]): Promise<string>;
}

async function runChecks(checks: readonly VectorCheck[]): Promise<PageResult[]> {
  const results: PageResult[] = [];
  for (const { name, run } of checks) {
    const failure = await run().then(
      () => null,
      (error: unknown) => String(error),
    );
    results.push({ name, failure });
  }
  return results;
}

function losing(place: KeyPlace, loses: "nothing" | "agreement" | "all"): KeyPlace {
  if (loses === "nothing") return place;
  return {
    put: (name, value) => (loses === "all" ? Promise.reject(new Error("DataCloneError")) : place.put(name, value)),
    // WebKit gives back null where an X25519 key was put.
    get: async (name) => {
      const value = await place.get(name);
      const isAgreement = name.endsWith("agree") && typeof value === "object" && value !== null;
      return isAgreement && "privateKey" in value ? { ...value, privateKey: null } : value;
    },
  };
}

async function useKeys(how: AgreeStorage, publicKey: number[]): Promise<string> {
  const keys = await loadBrowserKeys(await openIndexedDb(), how);
  if (keys === null) return "no keys";
  const message = utf8("message");
  if (!(await verify(Uint8Array.from(publicKey), await sign(keys.sign.privateKey, message), message)))
    return "signs wrong";
  const other = await makeKeyPair("X25519", false);
  const [ours, theirs] = [
    await agree(keys.agree.privateKey, other.publicKey),
    await agree(other.privateKey, keys.agree.publicKey),
  ];
  if (!equalBytes(ours, theirs)) return "agrees wrong";
  for (const { privateKey } of [keys.sign, keys.agree]) {
    const out = await subtle.exportKey("pkcs8", privateKey).then(
      () => true,
      () => false,
    );
    if (out) return "gives its private key out";
  }
  return "fine";
}

const page: VaultPage = {
  vectors: () => runChecks([...KEY_CHECKS, ...SEAL_CHECKS, ...PAIRING_CHECKS]),
  storage: async (loses) => testKeyPlace(losing(await openIndexedDb(), loses)),
  makeKeys: async (how) => [...(await makeBrowserKeys(await openIndexedDb(), how)).sign.publicKey],
  useKeys,
};

Object.assign(globalThis, { testPage: page });
