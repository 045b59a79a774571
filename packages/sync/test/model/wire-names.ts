import { CHAIN_START } from "../../src/ports/held-log.ts";
import { rootOf } from "./rules.ts";

// It runs in a page too. The model speaks in short names, the wire in UUIDs and 16-byte macs. A name fits into 16 bytes, so both ways are exact.

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-/;
const bytesOf = (name: string): Uint8Array => {
  const bytes = new Uint8Array(16);
  bytes.set(new TextEncoder().encode(name));
  return bytes;
};
const nameIn = (bytes: Uint8Array): string => new TextDecoder().decode(bytes).replace(/\0+$/, "");
const toHex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const fromHex = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
const fromBase64Url = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));

/** Remembers what it computed: the oracle asks for the same names after every step. */
function remembered(compute: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    let found = known.get(text);
    if (found === undefined) known.set(text, (found = compute(text)));
    return found;
  };
}

/** The UUID of a name; an id that is a UUID already stays. */
export const idOf = remembered((name) => {
  if (UUID.test(name)) return name;
  return toHex(bytesOf(name)).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
});
/** The name of a UUID; an id that no name made stays. */
export const nameOf = remembered((id) => {
  const name = nameIn(fromHex(id.replaceAll("-", "")));
  return /^[\w-]+$/.test(name) ? name : id;
});
const wireMac = remembered((mac) => toBase64Url(bytesOf(mac)));
const macName = remembered((mac) => nameIn(fromBase64Url(mac)));

/** A chain value of the model on the wire; every chain there begins alike. */
export function macOf(sid: string, mac: string): string {
  return mac === rootOf(sid) ? CHAIN_START : wireMac(mac);
}
export function nameOfMac(sid: string, mac: string): string {
  return mac === CHAIN_START ? rootOf(sid) : macName(mac);
}
export const KINDS: Readonly<Record<string, number>> = { session: 3, command: 5, outcome: 6, pref: 9 };
export function kindName(kind: number): string {
  return Object.keys(KINDS).find((name) => KINDS[name] === kind) ?? String(kind);
}
