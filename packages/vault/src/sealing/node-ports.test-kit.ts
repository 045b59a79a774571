import { createCipheriv, createDecipheriv, createHmac, hash, KeyObject } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { u64 } from "../bytes/big-endian.ts";
import type { Inflated, Ports } from "./ports.ts";

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

const TAG = 16;

/** All ports by Node's own modules: what a daemon puts in the place of WebCrypto. */
export const nodePorts: Ports = {
  codec: {
    deflate: (bytes) => deflateRawSync(bytes, { level: 6 }),
    inflate: (bytes, most): Inflated => {
      try {
        return { ok: true, bytes: inflateRawSync(bytes, { maxOutputLength: most }) };
      } catch (error) {
        return { ok: false, code: codeOf(error) === "ERR_BUFFER_TOO_LARGE" ? "TOO_LARGE" : "BAD_FORMAT" };
      }
    },
  },
  chain: {
    run: ({ key, before, from, events }, prefix) => {
      const secret = KeyObject.from(key);
      const values: Uint8Array[] = [];
      let value = before;
      for (const [at, event] of events.entries()) {
        const mac = createHmac("sha256", secret)
          .update(prefix)
          .update(value)
          .update(u64(from + at))
          .update(event);
        value = Uint8Array.from(mac.digest().subarray(0, 16));
        values.push(value);
      }
      return values;
    },
  },
  cipher: {
    sha256: (bytes) => new Uint8Array(hash("sha256", bytes, "buffer")),
    encrypt({ key, nonce, aad }, plain) {
      const cipher = createCipheriv("aes-256-gcm", KeyObject.from(key), nonce).setAAD(aad);
      return new Uint8Array(Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]));
    },
    decrypt({ key, nonce, aad }, ct) {
      const end = ct.length - TAG;
      const cipher = createDecipheriv("aes-256-gcm", KeyObject.from(key), nonce, { authTagLength: TAG });
      cipher.setAAD(aad).setAuthTag(ct.subarray(end));
      const plain = new Uint8Array(cipher.update(ct.subarray(0, end)));
      try {
        cipher.final();
        return plain;
      } catch {
        return null;
      }
    },
  },
};
