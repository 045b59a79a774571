import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storeContract } from "@codehands/client/store-contract";
import { afterAll, beforeAll } from "vitest";
import { openDatabase } from "../database/open-database.ts";
import { createDeviceStore } from "./sqlite-device-store.ts";

// The id of the contract's own device.
const ME = "00000000-0000-7000-8000-000000000001";

let folder = "";
let made = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "codehands-sync-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const applied = new Map<string, string | null>();
storeContract("the daemon's SQLite", {
  durable: true,
  open: async ({ again, accept }) => {
    if (!again) {
      made += 1;
      applied.clear();
    }
    const database = openDatabase(join(folder, `${made}.db`));
    const store = createDeviceStore({
      store: database,
      deviceId: ME,
      commands: {
        applied: () => applied,
        ready: () => true,
        accept: (_tx, record) => void applied.set(record.id, accept(record)),
        afterCommit: () => {},
      },
      onRenumbered: () => {},
      onFault: (error) => {
        throw error;
      },
    });
    return { store, close: () => database.close() };
  },
});
