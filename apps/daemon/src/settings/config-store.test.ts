import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openConfigStore } from "./config-store.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "codehands-config-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("what counts now is what the file says now; while it is broken, what it said last", () => {
  const file = join(folder, "config.json");
  const store = openConfigStore(file, {});
  expect(store.readNow()).toEqual({});
  writeFileSync(file, '{"commands":{"from":"none"}}');
  expect(store.readNow()).toEqual({ commands: { from: "none" } });
  writeFileSync(file, '{"commands":{"from":');
  expect(store.readNow()).toEqual({ commands: { from: "none" } });
  expect(store.current()).toEqual({ commands: { from: "none" } });
  rmSync(file);
  expect(store.readNow()).toEqual({});
});
