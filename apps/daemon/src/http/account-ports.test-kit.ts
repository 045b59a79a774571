import type { AccountView, LocalPorts, SyncView } from "@codehands/api";

const SIGNED_OUT: AccountView = {
  state: "signed_out",
  cloudUrl: null,
  email: null,
  deviceId: null,
  roles: [],
  devices: null,
  sessions: null,
  reason: null,
};
const OFF: SyncView = {
  state: "off",
  cursor: 0,
  head: 0,
  pendingPush: { events: 0, records: 0 },
  lastRoundTripAt: null,
  refused: [],
  suspicions: [],
  error: null,
  ask: null,
};

/** The ports of the account on a device that is not signed in; `note` keeps the names of the calls. */
export function accountPorts(
  note: <T>(name: string, value: T) => Promise<T>,
): Pick<LocalPorts, "account" | "pair" | "devices" | "sync"> {
  const refused = { ok: false as const, code: "not_signed_in" as const, reason: "kept" };
  const dead = { state: "dead" as const, code: "PAIR_EXPIRED", reason: "kept" };
  return {
    account: {
      status: () => note("account.status", SIGNED_OUT),
      signUp: () => note("account.signUp", refused),
      logIn: () => note("account.logIn", refused),
      logOut: () => note("account.logOut", { ok: true as const, notes: [] }),
      recover: () => note("account.recover", refused),
      renewCode: () => note("account.renewCode", refused),
    },
    pair: {
      begin: () => note("pair.begin", refused),
      state: () => note("pair.state", dead),
      accept: () => note("pair.accept", dead),
      lookUp: () => note("pair.lookUp", refused),
      offered: () => note("pair.offered", dead),
      approve: () => note("pair.approve", refused),
      cancel: () => note("pair.cancel", undefined),
    },
    devices: {
      list: () => note("devices.list", { devices: [] }),
      rename: () => note("devices.rename", refused),
      revoke: () => note("devices.revoke", refused),
      fingerprint: () => note("devices.fingerprint", null),
    },
    sync: {
      status: () => note("sync.status", OFF),
      now: () => note("sync.now", OFF),
      pause: () => note("sync.pause", OFF),
      resume: () => note("sync.resume", OFF),
      reset: () => note("sync.reset", OFF),
      acknowledge: () => note("sync.acknowledge", OFF),
      identity: () => note("sync.identity", OFF),
    },
  };
}
