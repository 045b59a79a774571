import type { NetworkInterfaceInfo } from "node:os";
import { expect, test } from "vitest";
import { ownAddress } from "./own-address.ts";

const card = (address: string, family: "IPv4" | "IPv6", internal = false): NetworkInterfaceInfo => {
  const rest = { netmask: "", mac: "", internal, cidr: null };
  return family === "IPv4" ? { ...rest, address, family } : { ...rest, address, family, scopeid: 0 };
};

test("another computer is told the address of the network, never loopback and never a link-local one", () => {
  const lo = [card("127.0.0.1", "IPv4", true)];
  expect(ownAddress({ lo, eth0: [card("fe80::1", "IPv6"), card("192.168.1.7", "IPv4")] })).toBe("192.168.1.7");
  expect(ownAddress({ lo, eth0: [card("fe80::1", "IPv6"), card("fd00::7", "IPv6")] })).toBe("[fd00::7]");
  expect(ownAddress({ lo, eth0: [card("fe80::1", "IPv6")] })).toBeNull();
});
