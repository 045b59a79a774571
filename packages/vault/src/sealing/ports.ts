import type { WebKey } from "../primitives/web-crypto.ts";

export type Inflated = { ok: true; bytes: Uint8Array } | { ok: false; code: "TOO_LARGE" | "BAD_FORMAT" };

/** deflate-raw. Its output differs between platforms, and nothing depends on it. */
export interface Codec {
  deflate(bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /** Stops hard above `most` bytes: TOO_LARGE. */
  inflate(bytes: Uint8Array, most: number): Inflated | Promise<Inflated>;
}

export interface ChainRun {
  /** An HMAC-SHA256 key. */
  key: WebKey;
  /** c_{from−1}, 16 bytes. */
  before: Uint8Array;
  from: number;
  /** The exact bytes of each event, without its line end. */
  events: readonly Uint8Array[];
}

/** Computes c_from … of V19, one value for each event: MAC16(key, prefix ‖ c_{i−1} ‖ u64 i ‖ event). */
export interface Chain {
  run(job: ChainRun, prefix: Uint8Array): Uint8Array[] | Promise<Uint8Array[]>;
}

/** What a seal stands on beside its signature. */
export interface Cipher {
  sha256(bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /** AES-256-GCM: the ciphertext, and its tag of 16 bytes behind it. */
  encrypt(box: Box, plain: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /** Null when the tag is not that of this key, nonce, aad and ciphertext. */
  decrypt(box: Box, ct: Uint8Array): Uint8Array | null | Promise<Uint8Array | null>;
}

export interface Box {
  /** An AES-GCM key of 256 bits. */
  key: WebKey;
  /** 12 bytes. */
  nonce: Uint8Array;
  aad: Uint8Array;
}

/** What a program may put in the place of WebCrypto, for speed; the bytes are equal (§14). */
export interface Ports {
  codec: Codec;
  chain: Chain;
  cipher: Cipher;
}
