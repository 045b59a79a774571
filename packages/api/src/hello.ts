/**
 * How a client makes sure, before it sends its token, that the daemon is the one who listens. Another program may have
 * taken the port: it sees a nonce and never the token.
 */

/** What `GET /hello?nonce=…` answers. */
export interface HelloReply {
  /** `helloProof` of the nonce. */
  proof: string;
  /** The daemon's PROTOCOL_VERSION. */
  protocol: number;
  version: string;
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** HMAC-SHA256 of the nonce under the token, base64url: only who knows the token can make it. */
export async function helloProof(token: string, nonce: string): Promise<string> {
  const bytes = new TextEncoder();
  const key = await crypto.subtle.importKey("raw", bytes.encode(token), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  return base64url(new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes.encode(nonce))));
}

/**
 * A fresh nonce for the daemon on this port. It carries the port, so that a program on another port cannot have the
 * true daemon answer for it.
 */
export function helloNonce(port: number, random: Uint8Array = crypto.getRandomValues(new Uint8Array(24))): string {
  return `${port}.${base64url(random)}`;
}

/** True when a daemon that listens on `port` may answer this nonce. */
export function answersNonce(nonce: string, port: number): boolean {
  const [, asked] = /^(\d{1,5})\.[\w-]{22,86}$/.exec(nonce) ?? [];
  return asked !== undefined && Number(asked) === port;
}

/** Reads the answer of whoever listens; null when it is not a hello. */
export function parseHello(value: unknown): HelloReply | null {
  if (typeof value !== "object" || value === null) return null;
  const { proof, protocol, version } = value as Partial<Record<keyof HelloReply, unknown>>;
  if (typeof proof !== "string" || typeof protocol !== "number" || typeof version !== "string") return null;
  return { proof, protocol, version };
}
