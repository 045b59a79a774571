/** The namespace of fork sessions (UUIDv5). */
const NAMESPACE = "6f2a1c7e-0b54-4c4e-9d0e-6b5f0a3d81c2";

export interface ForkPlace {
  streamId: string;
  deviceId: string;
  at: number;
  firstEventId: string;
}

/** S16: the fork's id, a function of session, device, place and first event, so that a retry makes the same one. */
export async function forkId({ streamId, deviceId, at, firstEventId }: ForkPlace): Promise<string> {
  const name = new TextEncoder().encode(`${streamId}/${deviceId}/${at}/${firstEventId}`);
  const space = Uint8Array.from(NAMESPACE.replaceAll("-", "").match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-1", Uint8Array.of(...space, ...name)));
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x50;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
