/** WebCrypto as Node and browsers have it. Its type is written as a place, which holds with the libraries of either. */
export const subtle: typeof globalThis.crypto.subtle = globalThis.crypto.subtle;

/** A key of WebCrypto. */
export type WebKey = Parameters<typeof subtle.encrypt>[1];

/** Bytes as WebCrypto takes them. All of ours lie in plain memory, none in memory that threads share. */
export const plain = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => bytes as Uint8Array<ArrayBuffer>;

/** Where random bytes come from. */
export type RandomBytes = (count: number) => Uint8Array;

/** The platform's own. */
export const randomBytes: RandomBytes = (count) => globalThis.crypto.getRandomValues(new Uint8Array(count));
