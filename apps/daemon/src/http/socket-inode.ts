/** The two ends of a connection, as the daemon's socket sees them. */
export interface SocketEnds {
  remoteAddress: string;
  remotePort: number;
  localAddress: string;
  localPort: number;
}

/** An IPv4 address inside an IPv6 socket, as the kernel prints its first three words. */
const MAPPED = "0000000000000000FFFF0000";

/**
 * Finds the peer's socket in the text of `/proc/net/tcp` and `tcp6` and returns its inode, or null when the
 * connection is not there or no process holds it any more. Both texts are needed: a program may talk IPv4 through an
 * IPv6 socket, and is listed there then.
 */
export function findSocketInode(tables: string, ends: SocketEnds): string | null {
  const peer = `${hexAddress(ends.remoteAddress)}:${hexPort(ends.remotePort)}`;
  const us = `${hexAddress(ends.localAddress)}:${hexPort(ends.localPort)}`;
  for (const line of tables.split("\n")) {
    const fields = line.trim().split(/\s+/);
    if (plain(fields[1]) !== peer || plain(fields[2]) !== us) continue;
    const inode = fields[9];
    return inode === undefined || inode === "0" ? null : inode;
  }
  return null;
}

/**
 * Whether the tables list a socket that listens on this port. Ours must be there: where it is not, the system shows
 * nothing of its connections, and a missing peer means nothing.
 */
export function listsListener(tables: string, port: number): boolean {
  return tables.split("\n").some((line) => {
    const [, local = "", , state] = line.trim().split(/\s+/);
    return state === "0A" && local.endsWith(`:${hexPort(port)}`);
  });
}

function plain(address = ""): string {
  return address.startsWith(MAPPED) ? address.slice(MAPPED.length) : address;
}

function hexPort(port: number): string {
  return hex(port, 4);
}

function hexAddress(address: string): string {
  const ipv4 = address.replace(/^::ffff:(?=\d+\.)/i, "");
  const bytes = ipv4.includes(":") ? bytesOfIpv6(ipv4) : ipv4.split(".").map(Number);
  // The kernel prints 32-bit words in the byte order of the machine: little-endian on all that we run on.
  const words = Array.from({ length: bytes.length / 4 }, (_, word) => bytes.slice(word * 4, word * 4 + 4).reverse());
  return words
    .flat()
    .map((byte) => hex(byte, 2))
    .join("");
}

function bytesOfIpv6(address: string): number[] {
  const [head = "", tail] = address.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const gap = Array.from({ length: 8 - before.length - after.length }, () => "0");
  return [...before, ...gap, ...after].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 255];
  });
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, "0");
}
