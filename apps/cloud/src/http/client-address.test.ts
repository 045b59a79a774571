import { expect, test } from "vitest";
import { addressKey, clientAddress, parseNetworks } from "./client-address.ts";

const trusting = (...networks: string[]) => {
  const parsed = parseNetworks(networks);
  if (!parsed.ok) throw new Error("networks");
  return parsed.list;
};

test.each([
  ["a stranger's header is not believed", "203.0.113.9", "1.2.3.4", [], "203.0.113.9"],
  ["our proxy's is", "10.0.0.2", "203.0.113.9", ["10.0.0.0/8"], "203.0.113.9"],
  ["only what our proxies added", "10.0.0.2", "1.2.3.4, 203.0.113.9, 10.0.0.3", ["10.0.0.0/8"], "203.0.113.9"],
  ["a proxy that is the client itself", "10.0.0.2", undefined, ["10.0.0.2"], "10.0.0.2"],
  ["nonsense ends the walk", "10.0.0.2", "1.2.3.4, nonsense", ["10.0.0.2"], "10.0.0.2"],
  ["IPv4 through an IPv6 socket", "::ffff:10.0.0.2", "203.0.113.9", ["10.0.0.2"], "203.0.113.9"],
  ["IPv6", "fd00::1", "2001:db8::7", ["fd00::/8"], "2001:db8::7"],
  ["no address at all", undefined, "1.2.3.4", ["10.0.0.2"], ""],
] as const)("%s", (...[, peer, forwarded, networks, address]) => {
  expect(clientAddress(peer, forwarded, trusting(...networks))).toBe(address);
});

test.each([
  ["203.0.113.9", "203.0.113.9"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::6", "2001:db8:1:2::/64"],
  ["2001:0db8::", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
])("limits count %s as %s", (address, key) => {
  expect(addressKey(address)).toBe(key);
});

test.each(["10.0.0.0/33", "10.0.0/8", "::1/129", "10.0.0.1/8/8", "proxy", "10.0.0.1/x", ""])(
  "%j is no network",
  (network) => {
    expect(parseNetworks([network])).toEqual({ ok: false });
  },
);
