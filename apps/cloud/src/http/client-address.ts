import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";

export type Networks = { ok: true; list: BlockList } | { ok: false };

/** Reads addresses and networks (`10.0.0.0/8`) of proxies. */
export function parseNetworks(networks: readonly string[]): Networks {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits, ...more] = network.split("/");
    const family = isIPv4(address) ? "ipv4" : "ipv6";
    const most = family === "ipv4" ? 32 : 128;
    if (isIP(address) === 0 || more.length > 0) return { ok: false };
    if (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > most)) return { ok: false };
    list.addSubnet(address, Number(bits ?? most), family);
  }
  return { ok: true, list };
}

/**
 * The address of the client: the other end of the connection, or, when that is a proxy of ours, the last one of
 * X-Forwarded-For that is not. What a stranger writes into that header is never believed.
 */
export function clientAddress(peer: string | undefined, forwarded: string | undefined, trusted: BlockList): string {
  let address = plain(peer ?? "");
  for (const hop of (forwarded ?? "").split(",").reverse()) {
    if (!isTrusted(address, trusted)) break;
    const next = plain(hop.trim());
    if (isIP(next) === 0) break;
    address = next;
  }
  return address;
}

/** What limits count by: an IPv4 address, or the /64 of an IPv6 one, since one person has a whole /64. */
export function addressKey(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = "", tail] = address.split("%", 1)[0]?.split("::") ?? [];
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const filled = tail === undefined ? left : [...left, ...Array(8 - left.length - right.length).fill("0"), ...right];
  return `${filled
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}

/** IPv4 as it is, also where it came through an IPv6 socket. */
function plain(address: string): string {
  return address.startsWith("::ffff:") && isIPv4(address.slice(7)) ? address.slice(7) : address;
}

function isTrusted(address: string, trusted: BlockList): boolean {
  const family = isIP(address);
  return family !== 0 && trusted.check(address, family === 4 ? "ipv4" : "ipv6");
}
