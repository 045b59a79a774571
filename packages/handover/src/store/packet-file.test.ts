import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readConfig } from "../config.ts";
import { example, nested, small } from "../packet/example.test-kit.ts";
import type { Packet } from "../packet/packet.ts";
import { defaultPacketPath, loadPacket, savePacket } from "./packet-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "handover-store-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("HO-16 a packet comes back as it was, from readable JSON with a newline, in a folder that is made", () => {
  const path = join(folder, "a", "b", "packet.json");
  expect(savePacket(path, example())).toEqual(example());
  expect(readFileSync(path, "utf8")).toBe(`${JSON.stringify(example(), null, 2)}\n`);
  expect(loadPacket(path)).toEqual(example());
  savePacket(path, { ...example(), goal: "second" });
  expect(loadPacket(path).goal).toBe("second");
  expect(readdirSync(join(folder, "a", "b"))).toEqual(["packet.json"]);
});

test("HO-16 a save that fails leaves the old packet and nothing else", () => {
  const path = join(folder, "packet.json");
  savePacket(path, example());
  for (const bad of [small({ state: { a: 1n } }), small({ state: nested(1000) })])
    expect(() => savePacket(path, bad as unknown as Packet)).toThrow(expect.objectContaining({ code: "not_json" }));
  mkdirSync(join(folder, "taken.json"));
  expect(() => savePacket(join(folder, "taken.json"), example())).toThrow(/EISDIR|ENOTEMPTY|EEXIST|EPERM/);
  expect(loadPacket(path)).toEqual(example());
  expect(readdirSync(folder).sort()).toEqual(["packet.json", "taken.json"]);
});

test("HO-16 a symbolic link stays one", () => {
  savePacket(join(folder, "real.json"), example());
  symlinkSync("real.json", join(folder, "link.json"));
  savePacket(join(folder, "link.json"), { ...example(), goal: "second" });
  expect(lstatSync(join(folder, "link.json")).isSymbolicLink()).toBe(true);
  expect(loadPacket(join(folder, "real.json")).goal).toBe("second");
});

test("HO-16 what cannot be loaded is said", () => {
  const path = join(folder, "packet.json");
  expect(() => loadPacket(path)).toThrow(`no packet at ${path}`);
  for (const text of ["{ not json", "", '{"goal":"a","goal":"b"}', '{"version":9007199254740993}']) {
    writeFileSync(path, text);
    expect(() => loadPacket(path)).toThrow(/not valid JSON/);
  }
  expect(() => loadPacket(folder)).toThrow(expect.objectContaining({ code: "unreadable" }));
});

test("HO-16 the default path", () => {
  expect(defaultPacketPath("/repo", readConfig({}))).toBe(join("/repo", ".handover", "packet.json"));
  expect(defaultPacketPath("/repo", readConfig({ HANDOVER_PACKET: "/x/p.json" }))).toBe("/x/p.json");
  expect(defaultPacketPath("/repo", readConfig({ HANDOVER_PACKET: "" }))).toBe(
    join("/repo", ".handover", "packet.json"),
  );
});
