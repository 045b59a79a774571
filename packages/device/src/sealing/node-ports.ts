import { createCipheriv, createDecipheriv, createHmac, hash, KeyObject } from "node:crypto";
import { constants, deflateRawSync, inflateRawSync } from "node:zlib";
import type { Inflated, Ports } from "@codehands/vault";

/** Bytes of an authentication tag. */
const TAG = 16;

/** Compression, ciphers and the event chain by Node's own modules, which are far faster than WebCrypto; the bytes are equal. */
export const NODE_PORTS: Ports = {
  codec: {
    deflate: (bytes) => deflateRawSync(bytes, { level: constants.Z_DEFAULT_COMPRESSION }),
    inflate: (bytes, most): Inflated => {
      try {
        return { ok: true, bytes: inflateRawSync(bytes, { maxOutputLength: most }) };
      } catch (error) {
        const code = error instanceof Error && "code" in error ? error.code : null;
        return { ok: false, code: code === "ERR_BUFFER_TOO_LARGE" ? "TOO_LARGE" : "BAD_FORMAT" };
      }
    },
  },
  chain: {
    run({ key, before, from, events }, prefix) {
      const secret = KeyObject.from(key);
      const values: Uint8Array[] = [];
      const number = Buffer.alloc(8);
      let value = before;
      for (const [at, event] of events.entries()) {
        number.writeBigUInt64BE(BigInt(from + at));
        const mac = createHmac("sha256", secret).update(prefix).update(value).update(number).update(event).digest();
        value = Uint8Array.from(mac.subarray(0, 16));
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
