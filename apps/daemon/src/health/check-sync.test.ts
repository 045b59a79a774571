import type { AccountView, SyncView } from "@codehands/api";
import { describe, expect, it } from "vitest";
import { accountPorts } from "../http/account-ports.test-kit.ts";
import { checkSync } from "./check-sync.ts";

const NOW = "2026-01-02T12:00:00.000Z";
const ports = accountPorts((_name, value) => Promise.resolve(value));
const account = await ports.account.status();
const sync = await ports.sync.status();

async function look(over: {
  account?: Partial<AccountView>;
  sync?: Partial<SyncView>;
  quarantined?: number;
  orphans?: number;
}) {
  const signedIn: AccountView = { ...account, state: "active", email: "me@x", cloudUrl: "https://c" };
  const resting: SyncView = { ...sync, state: "resting", lastRoundTripAt: "2026-01-02T11:59:50.000Z" };
  const checks = await checkSync(
    {
      account: { ...ports.account, status: async () => ({ ...signedIn, ...over.account }) },
      sync: { ...ports.sync, status: async () => ({ ...resting, ...over.sync }) },
      quarantined: () => over.quarantined ?? 0,
      orphans: () => over.orphans ?? 0,
    },
    NOW,
  );
  return checks.map(({ id, status, detail, fix }) => [id, status, detail, fix]);
}

describe("what the doctor says of the account", () => {
  it("nothing without one", async () => {
    expect(await look({ account: { state: "signed_out" } })).toEqual([]);
  });

  it("the age of the last exchange, never online", async () => {
    expect(await look({})).toEqual([
      ["account", "ok", "me@x at https://c", null],
      ["sync", "ok", "last exchange 10 s ago, nothing to send", null],
    ]);
    const old = {
      lastRoundTripAt: "2026-01-01T10:00:00.000Z",
      error: "the cloud said 401",
      pendingPush: { events: 3, records: 1 },
    };
    expect((await look({ sync: old }))[1]).toEqual([
      ...[
        "sync",
        "warn",
        "last exchange 26 h ago; 3 events and 1 records to send; the cloud said 401",
        "codehands sync now",
      ],
    ]);
  });

  it("what only a person can put right, each with what to run", async () => {
    expect(await look({ account: { state: "locked" } })).toEqual([
      ["account", "warn", "logged in without keys: nothing is synced", "codehands pair"],
    ]);
    const stopped = await look({
      account: { state: "stopped", reason: "This device was removed." },
      sync: { state: "stopped" },
    });
    expect(stopped[0]).toEqual(["account", "fail", "This device was removed.", "codehands login"]);
    const copied = await look({
      account: { state: "stopped", reason: "This home was copied: say which copy this is." },
      sync: { ask: "copy" },
    });
    expect(copied.map(([, , , fix]) => fix)).toEqual(["codehands sync identity new", "codehands sync identity new"]);
    expect((await look({ sync: { ask: "copy" } }))[1]).toEqual([
      ...["sync", "fail", "another copy of this device lives", "codehands sync identity new"],
    ]);
    expect((await look({ sync: { state: "paused" } }))[1]?.[3]).toBe("codehands sync resume");
  });

  it("what was refused, what cannot be opened, and what looks like a lie", async () => {
    const found = await look({
      quarantined: 2,
      orphans: 1,
      sync: {
        refused: [{ what: "session 3f0f", code: "TOO_LARGE", reason: "too large" }],
        suspicions: [{ code: "WITHHELD", what: "phone", text: "Records of phone are missing." }],
      },
    });
    expect(found.slice(2)).toEqual([
      ["refused", "warn", "session 3f0f: too large (TOO_LARGE)", "codehands sync status"],
      ["suspicion", "fail", "Records of phone are missing.", "codehands sync acknowledge"],
      ["quarantine", "warn", "2 items of other devices cannot be opened; kept sealed", expect.any(String)],
      ["orphans", "warn", expect.stringContaining("1 event of other devices"), expect.any(String)],
    ]);
  });
});
