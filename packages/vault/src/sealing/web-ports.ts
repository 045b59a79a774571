import { u64 } from "../bytes/big-endian.ts";
import { joinBytes } from "../bytes/join-bytes.ts";
import { hmac, sha256 } from "../primitives/hash.ts";
import { plain, subtle } from "../primitives/web-crypto.ts";
import type { Box, Chain, Cipher, Codec, Inflated } from "./ports.ts";

type Transform = CompressionStream | DecompressionStream;

/** Null when more than `most` bytes come out. Rejects with the stream's own error. */
async function pump(bytes: Uint8Array, stream: Transform, most: number): Promise<Uint8Array | null> {
  const reader = new Blob([plain(bytes)]).stream().pipeThrough(stream).getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const chunk = part.value as Uint8Array;
    size += chunk.length;
    if (size > most) {
      // Cancelling a stream in the middle of its work may itself be refused: it is given up either way.
      await reader.cancel().catch(() => undefined);
      return null;
    }
    chunks.push(chunk);
  }
  return joinBytes(...chunks);
}

/** Compression by the platform's streams. */
export const webCodec: Codec = {
  deflate: async (bytes) =>
    (await pump(bytes, new CompressionStream("deflate-raw"), Number.POSITIVE_INFINITY)) ?? new Uint8Array(0),
  inflate: async (bytes, most): Promise<Inflated> => {
    try {
      const inflated = await pump(bytes, new DecompressionStream("deflate-raw"), most);
      return inflated === null ? { ok: false, code: "TOO_LARGE" } : { ok: true, bytes: inflated };
    } catch {
      return { ok: false, code: "BAD_FORMAT" };
    }
  },
};

/** The event chain by WebCrypto: one call for each event. */
export const webChain: Chain = {
  run: async ({ key, before, from, events }, prefix) => {
    const values: Uint8Array[] = [];
    let value = before;
    for (const [at, event] of events.entries()) {
      value = (await hmac(key, joinBytes(prefix, value, u64(from + at), event))).slice(0, 16);
      values.push(value);
    }
    return values;
  },
};

const algorithmOf = ({ nonce, aad }: Box) => ({ name: "AES-GCM", iv: plain(nonce), additionalData: plain(aad) });

/** Hash and encryption by WebCrypto: each call is one of another thread's. */
export const webCipher: Cipher = {
  sha256: (bytes) => sha256(bytes),
  encrypt: async (box, bytes) => new Uint8Array(await subtle.encrypt(algorithmOf(box), box.key, plain(bytes))),
  async decrypt(box, ct) {
    try {
      return new Uint8Array(await subtle.decrypt(algorithmOf(box), box.key, plain(ct)));
    } catch {
      return null;
    }
  },
};
