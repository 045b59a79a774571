import { expect, test } from "vitest";
import { ownOrigins } from "./own-origins.ts";

const card = (address: string, internal = false) => ({
  address,
  internal,
  netmask: "",
  mac: "",
  cidr: null,
  family: "IPv4" as const,
});
const machine = {
  hostname: "studio",
  interfaces: { lo: [card("127.0.0.1", true)], eth0: [card("192.168.1.5"), card("fe80::1"), card("fd00::5")] },
};

test("on loopback it is dialled by each of its names", () => {
  expect(ownOrigins({ host: "127.0.0.1", port: 8787, tls: false, ...machine })).toEqual([
    "http://127.0.0.1:8787",
    "http://localhost:8787",
    "http://[::1]:8787",
  ]);
});

test("on every address it is dialled at each that others can reach", () => {
  expect(ownOrigins({ host: "0.0.0.0", port: 8787, tls: true, ...machine })).toEqual([
    "https://localhost:8787",
    "https://127.0.0.1:8787",
    "https://[::1]:8787",
    "https://studio:8787",
    "https://192.168.1.5:8787",
    "https://[fd00::5]:8787",
  ]);
});

test("on one address at that one, without a port that nobody types", () => {
  expect(ownOrigins({ host: "192.168.1.5", port: 443, tls: true, ...machine })).toEqual(["https://192.168.1.5"]);
  expect(ownOrigins({ host: "fd00::5", port: 80, tls: false, ...machine })).toEqual(["http://[fd00::5]"]);
});
