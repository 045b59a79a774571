import type { NetworkInterfaceInfo } from "node:os";

/** How another computer of the same network dials this one: its first IPv4 address, or its IPv6 one; null without a network. */
export function ownAddress(
  interfaces: Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>,
): string | null {
  const outer = Object.values(interfaces).flatMap((cards) => (cards ?? []).filter((card) => !card.internal));
  const plain = outer.find(({ family }) => family === "IPv4");
  if (plain !== undefined) return plain.address;
  const six = outer.find(({ family, address }) => family === "IPv6" && !address.startsWith("fe80:"));
  return six === undefined ? null : `[${six.address}]`;
}
