import { CHAIN_START } from "../../src/ports/held-log.ts";
import { rootOf } from "./rules.ts";

// The model speaks in short names, the wire in UUIDs and 16-byte macs. A name fits into 16 bytes, so both ways are exact.

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-/;
const pad = (name: string): Buffer => {
  const bytes = Buffer.alloc(16);
  bytes.write(name, "utf8");
  return bytes;
};
const nameIn = (bytes: Buffer): string => bytes.toString("utf8").replace(/\0+$/, "");

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
  return pad(name)
    .toString("hex")
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
});
/** The name of a UUID; an id that no name made stays. */
export const nameOf = remembered((id) => {
  const name = nameIn(Buffer.from(id.replaceAll("-", ""), "hex"));
  return /^[\w-]+$/.test(name) ? name : id;
});
const wireMac = remembered((mac) => pad(mac).toString("base64url"));
const macName = remembered((mac) => nameIn(Buffer.from(mac, "base64url")));

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
